"""Authentication over HTTP, by our own access tokens or those of an OAuth 2.1 identity provider."""
