"""Access over a network: scopes, grants and access tokens."""
