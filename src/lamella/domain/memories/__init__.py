"""Observations, and what is asked of them."""
