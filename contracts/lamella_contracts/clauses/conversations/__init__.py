"""Clauses on conversations."""
