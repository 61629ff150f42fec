"""Search and recall."""
