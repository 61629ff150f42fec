"""Hashes of erased conversations and memories, which hold no text. They keep copies from restoring them."""

from uuid import UUID

from lamella_adapters.postgresql.database.columns import text_hash

REMEMBER_ERASED = """
INSERT INTO erased_message (project, mark) SELECT here(), unnest(%(marks)s::bytea[]) ON CONFLICT DO NOTHING
"""
"""Statement that remembers some."""

KNOWN_MARKS = "SELECT mark FROM erased_message WHERE project = here() AND mark = ANY(%(marks)s::bytea[])"
"""Question for those of some that are known."""


def session_mark(session: str) -> bytes:
    """Return the hash of an erased session."""
    return text_hash("session", session)


def record_mark(record: str) -> bytes:
    """Return the hash of a record of an erased session."""
    return text_hash("record", record)


def memory_mark(id: UUID) -> bytes:
    """Return the hash of an erased memory."""
    return text_hash("memory", id.hex)
