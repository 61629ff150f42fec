"""Faults in memories."""
