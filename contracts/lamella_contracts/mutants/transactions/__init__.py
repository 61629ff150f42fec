"""Faults in transactions."""
