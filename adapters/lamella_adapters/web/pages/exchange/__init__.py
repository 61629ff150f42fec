"""Imports, exports and backups."""
