"""Authentication over HTTP, by our own access tokens or by tokens of an OAuth 2.1 identity provider."""
