"""Sessions of the client, and their processes."""
