"""Faulty adapters, each with the clauses of the contracts that must fail."""
