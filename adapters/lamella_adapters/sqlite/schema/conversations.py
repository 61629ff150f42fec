"""Names from the schema, repeated in queries of a project's messages."""

SPOKEN = "role NOT IN ('tool', 'tool_result')"
"""Condition for searched messages; see `Role.searched`.

A query must repeat it literally to use a partial index.
"""

INDEX = "message_search"
"""Name of the full-text index of the messages."""
