"""Who may call over HTTP: access tokens of our own, and those of an OAuth 2.1 identity provider."""
