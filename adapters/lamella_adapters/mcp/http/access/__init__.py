"""Recognising callers over HTTP: by access tokens of our own, and of an OAuth 2.1 identity provider."""
