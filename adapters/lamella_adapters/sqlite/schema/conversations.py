"""Names that queries of a project's messages have to repeat as the schema has them."""

SPOKEN = "role NOT IN ('tool', 'tool_result')"
"""Condition for messages that are searched; see `Role.searched`.

A query must repeat it literally to use a partial index.
"""

INDEX = "message_search"
"""Name of the full-text index of the messages."""
