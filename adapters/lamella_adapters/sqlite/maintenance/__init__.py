"""Backups: copies of projects, archives, and restoring from both."""
