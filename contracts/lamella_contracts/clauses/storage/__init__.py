"""Clauses on the storage as a whole."""
