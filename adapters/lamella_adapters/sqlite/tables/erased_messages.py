"""What stays known of erased conversations, so that no copy brings them back: hashes, which hold no text."""

import json
from collections.abc import Collection, Mapping

import apsw

from lamella.domain.conversations.message import record_of
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.code_change_rows import mark
from lamella_adapters.sqlite.tables.message_rows import ANY_OF_SESSION

_REMEMBER = "INSERT OR IGNORE INTO erased_message VALUES (?)"
_OF_THESE = "SELECT mark FROM erased_message WHERE mark IN (SELECT unhex(value) FROM json_each(?))"
_SESSION, _RECORD = "session", "record"


def remember(connection: apsw.Connection, session: str) -> None:
    """Remembers a session that is about to be erased, the keys of its messages, and its records."""
    keys = fetch(connection, "SELECT key FROM message WHERE session = ?", (session,))
    if keys:
        ends = fetch(connection, "SELECT record FROM session_end WHERE session = ?", (session,))
        records = {*(record_of(key) for (key,) in keys), *(record for (record,) in ends)}
        marks = [
            mark(_SESSION, session),
            *(mark(key) for (key,) in keys),
            *(mark(_RECORD, each) for each in records),
        ]
        connection.executemany(_REMEMBER, [(each,) for each in marks])


def erased(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Those of `keys` that an erased message had."""
    return _marked(connection, {mark(key): key for key in keys})


def erased_records(connection: apsw.Connection, records: Collection[str]) -> frozenset[str]:
    """Those of `records` that were in an erased session."""
    return _marked(connection, {mark(_RECORD, record): record for record in records})


def is_gone(connection: apsw.Connection, session: str) -> bool:
    """Whether a session was erased and nothing has been said in it since."""
    was_erased = fetch(connection, "SELECT 1 FROM erased_message WHERE mark = ?", (mark(_SESSION, session),))
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def carry(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Makes known in one file what was erased in another, where it stays known."""
    arriving.executemany(_REMEMBER, fetch(leaving, "SELECT mark FROM erased_message"))


def _marked(connection: apsw.Connection, asked: Mapping[bytes, str]) -> frozenset[str]:
    values = json.dumps([each.hex() for each in asked])
    return frozenset(asked[found] for (found,) in fetch(connection, _OF_THESE, (values,)))
