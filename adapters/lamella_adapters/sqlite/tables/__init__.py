"""Rows of each table, shared by all capabilities."""
