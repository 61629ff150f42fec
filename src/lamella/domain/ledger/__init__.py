"""Additions and removals of code, and reintroductions."""
