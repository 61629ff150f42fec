"""Projects, their locations, and the keys and aliases of both."""
