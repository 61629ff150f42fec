"""Rows of the activity log: how they move between files and are erased."""

import apsw

from lamella_adapters.sqlite.tables import message_rows
from lamella_adapters.sqlite.tables.merge_rows import Origins, move_rows

ANY_OF_SESSION = "SELECT 1 FROM activity WHERE session = ? LIMIT 1"
"""Query that gives a row if a session has activity."""


def move_activity(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move the entries of `origins`. An entry whose name is known in the target keeps its row there."""
    entries = move_rows(leaving, arriving, "activity", "name", origins)
    sessions = sorted({session for _, _, _, session, *_ in entries if session is not None})
    # Bytes of them stay behind and are overwritten if the session is erased later.
    departed = [(message_rows.id_of_session(session),) for session in sessions]
    leaving.executemany("INSERT OR IGNORE INTO departed VALUES (?)", departed)


def erase_activity(connection: apsw.Connection, session: str) -> int:
    """Delete the entries of a session, and return their number."""
    connection.execute("DELETE FROM activity WHERE session = ?", (session,))
    return connection.changes()
