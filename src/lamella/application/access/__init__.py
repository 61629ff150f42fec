"""Use cases for access over a network: tenants and access tokens."""
