"""The status of a project."""
