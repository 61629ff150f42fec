"""Tokens and scores as FTS5 computes them, for every storage."""
