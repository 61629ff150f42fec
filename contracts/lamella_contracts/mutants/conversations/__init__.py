"""Faults in conversations."""
