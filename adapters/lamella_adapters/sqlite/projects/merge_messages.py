"""Transfer of conversations from one project's file to another's, in repeatable batches."""

from collections.abc import Sequence

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.tables import message_rows
from lamella_adapters.sqlite.tables.erased_messages import copy_erased, erased_keys, is_erased
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, move_rows, of_origins
from lamella_adapters.sqlite.tables.session_titles import move_titles

_BATCH = 200
# Columns are our own constants.
_READ = f"SELECT number, {message_rows.COLUMNS} FROM message WHERE {LEAVING} ORDER BY number LIMIT {_BATCH}"  # noqa: S608 - made of our own constants
_SET_NAME = """
INSERT INTO session_name VALUES (?, ?, ?)
ON CONFLICT (session) DO UPDATE SET name = excluded.name, titled = 0 WHERE titled AND NOT excluded.titled
"""


def move_messages(source: Database, target: Database, *, origins: Sequence[str] | None = None) -> None:
    """Move all messages from `source` to `target`, or take back the messages of some `origins`.

    They get the next numbers there. A message whose key is known or erased in the target is dropped. Names and
    positions of sessions move too. Positions move last, so that an import during an interrupted merge reads too
    much rather than too little. Everything that was erased in `source` is then known as erased in both.
    """
    asked = of_origins(origins)
    while True:
        with source.writing() as leaving, target.writing() as arriving:
            batch = fetch(leaving, _READ, asked)
            if not batch:
                move_rows(leaving, arriving, "transcript_position", "source", asked)
                copy_erased(leaving, arriving)
                move_titles(leaving, arriving, asked)
                return
            _move(leaving, arriving, batch)


def _move(leaving: apsw.Connection, arriving: apsw.Connection, batch: Sequence[tuple[object, ...]]) -> None:
    keys = [str(key) for _, key, *_ in batch]
    known = message_rows.known(arriving, keys) | erased_keys(arriving, keys)
    for _, key, *values in batch:
        if key not in known:
            arriving.execute(message_rows.INSERT, (key, *values))
    leaving.executemany("DELETE FROM message WHERE number = ?", [(number,) for number, *_ in batch])
    for session in sorted({str(session) for _, _, _, session, *_ in batch}):
        if not is_erased(arriving, session):
            name = fetch(leaving, "SELECT session, name, titled FROM session_name WHERE session = ?", (session,))
            arriving.executemany(_SET_NAME, name)
        message_rows.forget(leaving, session)
        # Bytes of them stay behind and are overwritten if the session is erased later.
        leaving.execute("INSERT OR IGNORE INTO departed VALUES (?)", (message_rows.id_of_session(session),))
