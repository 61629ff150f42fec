"""Clauses on projects."""
