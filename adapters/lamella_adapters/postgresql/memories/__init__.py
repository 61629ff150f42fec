"""Observations as rows, and their changes."""
