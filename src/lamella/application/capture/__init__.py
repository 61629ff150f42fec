"""Store captures of hooks."""
