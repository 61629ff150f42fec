"""Who may do what over a network: scopes, grants and access tokens."""
