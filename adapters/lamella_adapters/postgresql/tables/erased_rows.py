"""Erase observations and conversations, and store hashes so that no import restores them."""

from collections.abc import Sequence
from uuid import UUID

from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.tables import audit_rows, index
from lamella_adapters.statements import statements

SQL = statements(__file__)


_ERASED_FROM = ("observation", "code_change", "told_removal", "vector")
_ERASED_WITH_SESSION = ("message", "session_end", "session_name", "summary", "activity")


def erase(tx: Transaction, ids: Sequence[UUID], seqs: Sequence[int]) -> None:
    """Delete observations and all references to them, except index entries.

    Args:
        tx: Writing transaction on the project.
        ids: Ids of the observations. They needn't exist.
        seqs: Sequence numbers of the observations that exist.
    """
    for table in _ERASED_FROM:
        tx.run(SQL["erase"].format(table=table), seqs=seqs)
    tx.run(SQL["unlink"], ids=list(ids))
    audit_rows.forget(tx, ids)


def erase_session(tx: Transaction, session: str, numbers: Sequence[int]) -> None:
    """Delete a session. Remove its messages from the index, where they have the `numbers`."""
    index.remove(tx, numbers, parts=[index.MESSAGES])
    for table in _ERASED_WITH_SESSION:
        tx.run(SQL["erase_session"].format(table=table), session=session)
