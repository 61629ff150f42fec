"""The context column. A row's context is made from the two live rows before it in its session."""

import apsw

from lamella.domain.search import indexing
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import statements

SQL = statements(__file__)

_LAST = 2**63 - 1


def context_before(
    connection: apsw.Connection, content: str, session: str | None, occurred_at: int, sequence: int = _LAST
) -> str:
    """Return the context of a row of `session` with this content.

    The position of the row is its time and its sequence number. The default sequence number is higher than all
    others.
    """
    return needed_context(connection, session, occurred_at, sequence) if indexing.needs_context(content) else ""


def needed_context(connection: apsw.Connection, session: str | None, occurred_at: int, sequence: int) -> str:
    """Return the context of a row. The caller has checked that the row's content needs a context."""
    if session is None:
        return ""
    place = _place(session, occurred_at, sequence)
    previous = fetch(connection, SQL["before"], {**place, "characters": indexing.CONTEXT_CHARACTERS})
    return indexing.observation_context(previous)


def refresh_followers(connection: apsw.Connection, session: str | None, occurred_at: int, sequence: int) -> None:
    """Update the context column of the rows after a position in a session."""
    if session is None:
        return
    for follower, at, content in fetch(connection, SQL["followers"], _place(session, occurred_at, sequence)):
        set_context(connection, follower, context_before(connection, content, session, at, follower))


def refresh_around(connection: apsw.Connection, sequence: int) -> None:
    """Update the context of a row that was moved from another file, and of the rows after it."""
    for session, occurred_at, live, content in fetch(connection, SQL["arrived"], (sequence,)):
        if live:
            set_context(connection, sequence, context_before(connection, content, session, occurred_at, sequence))
        refresh_followers(connection, session, occurred_at, sequence)


def set_context(connection: apsw.Connection, sequence: int, context: str) -> None:
    """Replace a row's context. Skip a row that already has this context, as FTS5 would index the row again."""
    connection.execute(
        "UPDATE observation SET context = :context WHERE seq = :seq AND context <> :context",
        {"context": context, "seq": sequence},
    )


def _place(session: str, occurred_at: int, sequence: int) -> dict[str, object]:
    return {"session": session, "moment": occurred_at, "seq": sequence, "count": indexing.CONTEXT_OBSERVATIONS}
