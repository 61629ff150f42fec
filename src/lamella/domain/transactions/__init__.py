"""Changes of a project: looks, decisions, and plans for a storage."""
