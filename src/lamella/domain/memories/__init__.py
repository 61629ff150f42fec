"""Observations and queries."""
