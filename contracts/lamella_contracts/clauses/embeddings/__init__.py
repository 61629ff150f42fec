"""Clauses on embedders and vectors."""
