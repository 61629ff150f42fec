"""Keeping the context column true: a row's context is made of the two live rows before it in its session."""

import apsw

from lamella.domain.search import indexing
from lamella_adapters.sqlite.file.connection import fetch

_BEFORE = """
SELECT title, substr(content, 1, :characters) FROM observation
WHERE session = :session AND purged_at IS NULL AND (moment, seq) < (:moment, :seq)
ORDER BY moment DESC, seq DESC LIMIT :count
"""
_FOLLOWERS = """
SELECT seq, moment FROM observation
WHERE session = :session AND purged_at IS NULL AND (moment, seq) > (:moment, :seq)
ORDER BY moment, seq LIMIT :count
"""
_LAST = 2**63 - 1


def context_before(connection: apsw.Connection, session: str | None, moment: int, sequence: int = _LAST) -> str:
    """The context of a row of `session` at that place; a new row's place is after all others."""
    if session is None:
        return ""
    previous = fetch(
        connection,
        _BEFORE,
        {
            "session": session,
            "moment": moment,
            "seq": sequence,
            "characters": indexing.CONTEXT_CHARACTERS,
            "count": indexing.CONTEXT_OBSERVATIONS,
        },
    )
    return indexing.context((title, content) for title, content in previous)


def refresh_followers(connection: apsw.Connection, session: str | None, moment: int, sequence: int) -> None:
    """Makes the contexts of the rows after that place anew, as far as it reaches into them."""
    if session is None:
        return
    place = {"session": session, "moment": moment, "seq": sequence, "count": indexing.CONTEXT_OBSERVATIONS}
    followers = fetch(connection, _FOLLOWERS, place)
    for follower, when in followers:
        set_context(connection, follower, context_before(connection, session, when, follower))


def refresh_around(connection: apsw.Connection, sequence: int) -> None:
    """Makes the context of a row that arrived from elsewhere anew, and those of the rows after it."""
    place = "SELECT session, moment, purged_at IS NULL FROM observation WHERE seq = ? AND session IS NOT NULL"
    for session, moment, live in fetch(connection, place, (sequence,)):
        if live:
            set_context(connection, sequence, context_before(connection, session, moment, sequence))
        refresh_followers(connection, session, moment, sequence)


def set_context(connection: apsw.Connection, sequence: int, context: str) -> None:
    """Replaces a row's context where it differs; a needless update would still be indexed anew."""
    connection.execute(
        "UPDATE observation SET context = :context WHERE seq = :seq AND context <> :context",
        {"context": context, "seq": sequence},
    )
