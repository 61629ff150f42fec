"""Access tokens of all tenants."""
