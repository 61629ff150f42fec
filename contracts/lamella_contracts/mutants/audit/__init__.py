"""Faults in the audit trail."""
