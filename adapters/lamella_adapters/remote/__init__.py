"""Storage and tools of a team's server over HTTP."""
