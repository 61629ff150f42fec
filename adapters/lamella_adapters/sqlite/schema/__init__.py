"""Schemas and their migrations."""
