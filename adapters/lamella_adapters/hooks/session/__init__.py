"""Sessions of the client, and the processes that belong to them."""
