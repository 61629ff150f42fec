"""Faults in searching."""
