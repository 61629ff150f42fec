"""Shared folders of working trees, with a record of each in the data directory."""
