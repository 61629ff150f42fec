"""Which session of the client a process belongs to."""
