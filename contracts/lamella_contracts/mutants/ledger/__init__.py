"""Faults in ledger."""
