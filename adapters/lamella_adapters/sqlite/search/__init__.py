"""Full-text search of observations."""
