"""Clauses on the ledger."""
