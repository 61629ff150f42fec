"""Deletion of observations and conversations for good, and marks that keep copies from restoring them."""

from collections.abc import Sequence
from uuid import UUID

from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import audit_rows, index
from lamella_adapters.statements import statements

SQL = statements(__file__)


_ERASED_FROM = ("observation", "code_change", "told_removal", "vector")
_ERASED_WITH_SESSION = ("message", "session_end", "session_name", "summary", "activity")


def erase(turn: Turn, ids: Sequence[UUID], seqs: Sequence[int]) -> None:
    """Delete observations and all that names them, but for the index.

    Args:
        turn: The transaction.
        ids: Ids, also of those that don't exist.
        seqs: Sequence numbers of those that exist.
    """
    for table in _ERASED_FROM:
        turn.run(SQL["erase"].format(table=table), seqs=seqs)
    turn.run(SQL["unlink"], ids=list(ids))
    audit_rows.forget(turn, ids)


def erase_session(turn: Turn, session: str, numbers: Sequence[int]) -> None:
    """Delete a session and its messages, given by their numbers."""
    index.remove(turn, numbers, parts=[index.MESSAGES])
    for table in _ERASED_WITH_SESSION:
        turn.run(SQL["erase_session"].format(table=table), session=session)
