"""Faults in capabilities and durability."""
