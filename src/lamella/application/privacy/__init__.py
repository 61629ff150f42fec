"""Clean text before it is stored."""
