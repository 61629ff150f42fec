"""Formats of clients' configuration and instruction files."""
