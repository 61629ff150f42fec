"""Deletion of observations and conversations for good, and marks that keep copies from restoring them."""

from collections.abc import Sequence
from uuid import UUID

from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import audit_rows, index

REMEMBER_ERASED = """
INSERT INTO erased_message (project, mark) SELECT here(), unnest(%(marks)s::bytea[]) ON CONFLICT DO NOTHING
"""
"""Statement that remembers some."""

KNOWN_MARKS = "SELECT mark FROM erased_message WHERE project = here() AND mark = ANY(%(marks)s::bytea[])"
"""Question for those of some that are known."""

ALL_MARKS = "SELECT mark FROM erased_message WHERE project = here()"
"""Question for all of them."""

MESSAGES = "SELECT number, key FROM message WHERE project = here() AND session = %(session)s ORDER BY number"
"""Question for the messages of a session."""

ENDS = "SELECT record FROM session_end WHERE project = here() AND session = %(session)s"
"""Question for the records at which it ended."""

_ERASE = "DELETE FROM {table} WHERE project = here() AND seq = ANY(%(seqs)s::bigint[])"
_ERASED_FROM = ("observation", "code_change", "told_removal", "vector")
_UNLINK = """
UPDATE observation SET replaced_by = NULL WHERE project = here() AND replaced_by = ANY(%(ids)s::uuid[])
"""
_ERASE_SESSION = "DELETE FROM {table} WHERE project = here() AND session = %(session)s"
_ERASED_WITH_SESSION = ("message", "session_end", "session_name", "summary", "activity")


def erase(turn: Turn, ids: Sequence[UUID], seqs: Sequence[int]) -> None:
    """Delete observations and all that names them, but for the index.

    Args:
        turn: The transaction.
        ids: Ids, also of those that don't exist.
        seqs: Sequence numbers of those that exist.
    """
    for table in _ERASED_FROM:
        turn.run(_ERASE.format(table=table), seqs=seqs)
    turn.run(_UNLINK, ids=list(ids))
    audit_rows.forget(turn, ids)


def erase_session(turn: Turn, session: str, numbers: Sequence[int]) -> None:
    """Delete a session and its messages, given by their numbers."""
    index.remove(turn, numbers, parts=[index.MESSAGES])
    for table in _ERASED_WITH_SESSION:
        turn.run(_ERASE_SESSION.format(table=table), session=session)
