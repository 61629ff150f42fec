"""Clauses on observations."""
