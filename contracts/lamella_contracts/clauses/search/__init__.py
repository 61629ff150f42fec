"""Clauses on search."""
