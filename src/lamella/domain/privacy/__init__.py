"""Secrets and private files."""
