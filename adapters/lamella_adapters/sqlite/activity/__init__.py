"""Activity log."""
