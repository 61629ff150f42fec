"""Indexing, parsing of dates, and ranking."""
