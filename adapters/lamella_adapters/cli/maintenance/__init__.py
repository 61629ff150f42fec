"""Maintenance commands: status, diagnosis, backups and embedding."""
