"""Tokens and scores as FTS5 computes them, for use by every storage."""
