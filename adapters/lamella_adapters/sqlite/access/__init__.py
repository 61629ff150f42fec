"""Access tokens, in the registry."""
