"""Ledger of code changes."""
