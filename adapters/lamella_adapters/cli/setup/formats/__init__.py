"""Formats of the files that clients keep their configurations and instructions in."""
