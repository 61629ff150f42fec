"""Limits and defaults of queries."""

MAX_QUERY_CHARACTERS = 4_000
"""Maximum length of a query, in code points. Enough for a stack trace."""

MAX_SHORT_QUERY_CHARACTERS = 500
"""Maximum length of a query in all toolsets except `unified`, and of the text to find in titles."""

MAX_LIMIT = 50
"""Maximum number of results or ids in a call."""

DEFAULT_LIMIT = 10
"""Default number of results."""

DEFAULT_CHANGES = 50
"""Default number of a file's changes."""
