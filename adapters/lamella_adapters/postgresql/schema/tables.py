"""Names of tables."""

FIRST_TABLES = (
    "project", "alias", "observation", "code_change", "capture", "told_removal", "vector", "document", "posting",
    "term", "index_size", "message", "session_name", "transcript_position", "waiting_title", "session_end",
    "erased_message", "summary", "activity", "audit",
)  # fmt: skip
"""Tables of the first migration."""

TABLES = (*FIRST_TABLES, "access_token", "access_event", "quota")
"""All tables whose rows belong to a tenant."""
