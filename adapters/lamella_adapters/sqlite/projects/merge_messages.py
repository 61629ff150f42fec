"""Moving conversations from one project's file to another's, so that it can be broken off and repeated."""

import json
from collections.abc import Sequence

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.tables import erased_messages, message_rows, session_titles

_BATCH = 200
_LEAVING = "(:origins IS NULL OR origin IN (SELECT value FROM json_each(:origins)))"
# Columns are our own constants.
_READ = f"SELECT number, {message_rows.COLUMNS} FROM message WHERE {_LEAVING} ORDER BY number LIMIT {_BATCH}"  # noqa: S608 - made of our own constants
_CALL = """
INSERT INTO session_name VALUES (?, ?, ?)
ON CONFLICT (session) DO UPDATE SET name = excluded.name, titled = 0 WHERE titled AND NOT excluded.titled
"""
_READ_POSITIONS = f"SELECT source, position, origin FROM transcript_position WHERE {_LEAVING}"  # noqa: S608 - made of our own constants


def move_messages(source: Database, target: Database, *, origins: Sequence[str] | None = None) -> None:
    """Moves all messages from `source` to `target`, or takes back those of some `origins`.

    They get the next numbers there. A message whose key is known there already stays as it is there, or erased.
    What is known of their sessions and sources goes with them; positions last, so that an import that meets a
    merge half-way reads again rather than too little. What was erased in `source` is then known in both.
    """
    asked = {"origins": None if origins is None else json.dumps(origins)}
    while True:
        with source.writing() as leaving, target.writing() as arriving:
            batch = fetch(leaving, _READ, asked)
            if not batch:
                _move_positions(leaving, arriving, asked)
                erased_messages.carry(leaving, arriving)
                session_titles.move(leaving, arriving, asked)
                return
            _move(leaving, arriving, batch)


def _move(leaving: apsw.Connection, arriving: apsw.Connection, batch: Sequence[tuple[object, ...]]) -> None:
    keys = [str(key) for _, key, *_ in batch]
    known = message_rows.known(arriving, keys) | erased_messages.erased(arriving, keys)
    for _, key, *values in batch:
        if key not in known:
            arriving.execute(message_rows.INSERT, (key, *values))
    leaving.executemany("DELETE FROM message WHERE number = ?", [(number,) for number, *_ in batch])
    for session in sorted({str(session) for _, _, _, session, *_ in batch}):
        if not erased_messages.is_gone(arriving, session):
            name = fetch(leaving, "SELECT session, name, titled FROM session_name WHERE session = ?", (session,))
            arriving.executemany(_CALL, name)
        message_rows.forget(leaving, session)
        # Bytes of them stay behind, for whoever erases them later.
        leaving.execute("INSERT OR IGNORE INTO departed VALUES (?)", (message_rows.session_mark(session),))


def _move_positions(leaving: apsw.Connection, arriving: apsw.Connection, asked: dict[str, str | None]) -> None:
    positions = fetch(leaving, _READ_POSITIONS, asked)
    arriving.executemany("INSERT OR IGNORE INTO transcript_position VALUES (?, ?, ?)", positions)
    leaving.executemany(
        "DELETE FROM transcript_position WHERE source = ?", [(source,) for source, *_ in positions]
    )
