"""Titles of conversations that arrive with the id of a record instead of a session."""

from collections.abc import Iterable, Sequence

import apsw

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.erased_messages import erased_records, is_erased
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, Origins

# A message's key is its record, a slash and a part without a slash. "0" is the character after "/".
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
_SET_NAME = """
INSERT INTO session_name VALUES (?, ?, 1) ON CONFLICT (session) DO UPDATE SET name = excluded.name WHERE titled
"""
# Tables and columns are our own constants.
_KEEP = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?)"
_BOUND = "DELETE FROM {0} WHERE rowid IN (SELECT rowid FROM {0} ORDER BY rowid DESC LIMIT -1 OFFSET ?)"
_READ = f"SELECT * FROM {{}} WHERE {LEAVING} ORDER BY rowid"  # noqa: S608 - made of our own constants
_LIMITS = {"session_end": MAX_ENDS, "waiting_title": MAX_WAITING_TITLES}


def add_titles(connection: apsw.Connection, batch: Batch, project: str) -> None:
    """Store the titles and ends of conversations in `batch`, and give sessions their titles."""
    _keep(connection, "session_end", [(record, session, project) for record, session in batch.ends.items()])
    erased = erased_records(connection, batch.titles) if batch.titles else ()
    titles = [(record, title, project) for record, title in batch.titles.items() if record not in erased]
    _keep(connection, "waiting_title", titles)
    _settle(connection)


def erase_titles(connection: apsw.Connection, session: str) -> None:
    """Delete the ends of a session and all waiting titles: any may belong to the session by an unknown record."""
    connection.execute("DELETE FROM session_end WHERE session = ?", (session,))
    connection.execute("DELETE FROM waiting_title")


def move_titles(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move waiting titles and ends of conversations, and give the titles whose records now meet."""
    for table in _LIMITS:
        rows = fetch(leaving, _READ.format(table), origins)
        _keep(arriving, table, rows)
        leaving.executemany(f"DELETE FROM {table} WHERE record = ?", [(record,) for record, *_ in rows])  # noqa: S608 - made of our own constants
    # A title may wait in one file for a record that was erased in the other.
    waiting = [record for (record,) in fetch(arriving, "SELECT record FROM waiting_title")]
    _drop(arriving, erased_records(arriving, waiting))
    _settle(arriving)


def _keep(connection: apsw.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    connection.executemany(_KEEP.format(table), rows)


def _settle(connection: apsw.Connection) -> None:
    """Give each title whose record is known to its session, and drop the oldest of too many others."""
    placed = fetch(connection, _PLACED)
    for _, title, session in placed:
        if not is_erased(connection, session):
            connection.execute(_SET_NAME, (session, title))
    _drop(connection, [record for record, *_ in placed])
    for table, most in _LIMITS.items():
        connection.execute(_BOUND.format(table), (most,))


def _drop(connection: apsw.Connection, records: Iterable[str]) -> None:
    connection.executemany("DELETE FROM waiting_title WHERE record = ?", [(record,) for record in records])
