"""Repositories: their location, paths within them, and git processes."""
