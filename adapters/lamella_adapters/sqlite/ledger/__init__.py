"""The ledger of code."""
