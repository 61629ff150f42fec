"""Audit trail: authors, times and effects of changes to memories."""
