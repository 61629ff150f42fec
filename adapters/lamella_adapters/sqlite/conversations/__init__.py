"""Messages of a project."""
