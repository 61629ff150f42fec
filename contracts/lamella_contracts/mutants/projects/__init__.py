"""Faults in projects."""
