"""What becomes of the log of activity when its project moves, or a session of it is erased."""

from collections.abc import Mapping

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import message_rows

_READ = """
SELECT * FROM activity WHERE :origins IS NULL OR origin IN (SELECT value FROM json_each(:origins))
"""

ANY_OF_SESSION = "SELECT 1 FROM activity WHERE session = ? LIMIT 1"
"""Tells whether a session has activity."""


def move_activity(leaving: apsw.Connection, arriving: apsw.Connection, asked: Mapping[str, str | None]) -> None:
    """Moves the log; `asked` has the `origins` that leave, or None for all. A known name stays as it is."""
    entries = fetch(leaving, _READ, asked)
    arriving.executemany("INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?)", entries)
    leaving.executemany("DELETE FROM activity WHERE name = ?", [(name,) for name, *_ in entries])
    sessions = sorted({session for _, _, _, session, *_ in entries if session is not None})
    # Bytes of them stay behind, for whoever erases them later.
    marks = [(message_rows.session_mark(session),) for session in sessions]
    leaving.executemany("INSERT OR IGNORE INTO departed VALUES (?)", marks)


def erase_activity(connection: apsw.Connection, session: str) -> int:
    """Deletes the entries of a session; how many there were."""
    connection.execute("DELETE FROM activity WHERE session = ?", (session,))
    return connection.changes()
