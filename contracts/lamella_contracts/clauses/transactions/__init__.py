"""Clauses on transactions: facts, writes, and their order between threads and processes."""
