"""Faults in vectors."""
