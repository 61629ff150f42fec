"""Observations of a project."""
