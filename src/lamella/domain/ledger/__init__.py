"""Additions and removals of code, and code that comes back."""
