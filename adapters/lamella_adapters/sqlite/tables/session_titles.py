"""What conversations are called by those who know only the record that they ended with."""

from collections.abc import Iterable, Sequence

import apsw

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import erased_messages

# A message's key is that of its record, a slash, and no other one: "0" comes next after "/".
_MESSAGE = """
SELECT session FROM message WHERE key >= record || '/' AND key < record || '0'
AND instr(substr(key, length(record) + 2), '/') = 0 LIMIT 1
"""
_ENDED = "SELECT session FROM session_end WHERE record = waiting_title.record"
_PLACED = f"""
SELECT record, title, session FROM (
  SELECT rowid AS place, record, title, coalesce(({_MESSAGE}), ({_ENDED})) AS session FROM waiting_title
) WHERE session IS NOT NULL ORDER BY place
"""  # noqa: S608 - made of our own constants
_CALL = """
INSERT INTO session_name VALUES (?, ?, 1) ON CONFLICT (session) DO UPDATE SET name = excluded.name WHERE titled
"""
# Tables and columns are our own constants.
_KEEP = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?)"
_BOUND = "DELETE FROM {0} WHERE rowid IN (SELECT rowid FROM {0} ORDER BY rowid DESC LIMIT -1 OFFSET ?)"
_LEAVING = ":origins IS NULL OR origin IN (SELECT value FROM json_each(:origins))"
_READ = f"SELECT * FROM {{}} WHERE {_LEAVING} ORDER BY rowid"  # noqa: S608 - made of our own constants
_BOUNDS = {"session_end": MAX_ENDS, "waiting_title": MAX_WAITING_TITLES}


def add(connection: apsw.Connection, batch: Batch, project: str) -> None:
    """Keeps what `batch` says of titles and of where conversations ended, and gives sessions their titles."""
    _keep(connection, "session_end", [(record, session, project) for record, session in batch.ends.items()])
    gone = erased_messages.erased_records(connection, batch.titles) if batch.titles else ()
    titles = [(record, title, project) for record, title in batch.titles.items() if record not in gone]
    _keep(connection, "waiting_title", titles)
    _settle(connection)


def erase(connection: apsw.Connection, session: str) -> None:
    """Forgets where a session ended, and every title that waits: any may be its own, by a record nobody kept."""
    connection.execute("DELETE FROM session_end WHERE session = ?", (session,))
    connection.execute("DELETE FROM waiting_title")


def move(leaving: apsw.Connection, arriving: apsw.Connection, asked: dict[str, str | None]) -> None:
    """Moves what waits, and where conversations ended; titles that waited for each other's records are given."""
    for table in _BOUNDS:
        rows = fetch(leaving, _READ.format(table), asked)
        _keep(arriving, table, rows)
        leaving.executemany(f"DELETE FROM {table} WHERE record = ?", [(record,) for record, *_ in rows])  # noqa: S608 - made of our own constants
    # What was erased in the one may be waited for in the other.
    waiting = [record for (record,) in fetch(arriving, "SELECT record FROM waiting_title")]
    _drop(arriving, erased_messages.erased_records(arriving, waiting))
    _settle(arriving)


def _keep(connection: apsw.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    connection.executemany(_KEEP.format(table), rows)


def _settle(connection: apsw.Connection) -> None:
    """Gives the titles whose records are here to their sessions; too many of what is left are dropped."""
    placed = fetch(connection, _PLACED)
    for _, title, session in placed:
        if not erased_messages.is_gone(connection, session):
            connection.execute(_CALL, (session, title))
    _drop(connection, [record for record, *_ in placed])
    for table, most in _BOUNDS.items():
        connection.execute(_BOUND.format(table), (most,))


def _drop(connection: apsw.Connection, records: Iterable[str]) -> None:
    connection.executemany("DELETE FROM waiting_title WHERE record = ?", [(record,) for record in records])
