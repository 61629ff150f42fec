"""Ways of counting tokens."""
