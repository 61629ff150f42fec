"""Indexing, column weights and fusion."""
