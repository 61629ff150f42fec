"""Index, ranking and search."""
