"""Guards for every request before a page gets it."""
