"""Use cases that let callers from elsewhere in."""
