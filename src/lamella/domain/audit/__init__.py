"""Audit trail: who changed which memories, and when."""
