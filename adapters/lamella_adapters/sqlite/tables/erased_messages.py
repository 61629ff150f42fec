"""Marks of erased conversations and memories. They keep copies from restoring them."""

import json
from collections.abc import Collection, Sequence
from uuid import UUID

import apsw

from lamella.domain.conversations.message import record_of
from lamella.domain.text.marks import memory_mark, record_mark, session_mark, text_mark
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.code_change_rows import known_hashes
from lamella_adapters.sqlite.tables.message_rows import ANY_OF_SESSION

_STORED = "SELECT key FROM message WHERE key IN (SELECT value FROM json_each(?))"
_REMEMBER = "INSERT OR IGNORE INTO erased_message VALUES (?)"
_TABLE = "erased_message"


def remember_erased(connection: apsw.Connection, session: str) -> None:
    """Remember a session that is about to be erased, the keys of its messages, and its records."""
    keys = fetch(connection, "SELECT key FROM message WHERE session = ?", (session,))
    if keys:
        ends = fetch(connection, "SELECT record FROM session_end WHERE session = ?", (session,))
        records = {*(record_of(key) for (key,) in keys), *(record for (record,) in ends)}
        marks = [
            session_mark(session),
            *(text_mark(key) for (key,) in keys),
            *map(record_mark, records),
        ]
        remember_marks(connection, marks)


def remember_memories(connection: apsw.Connection, ids: Sequence[UUID]) -> None:
    """Remember memories that are erased."""
    remember_marks(connection, list(map(memory_mark, ids)))


def known_marks(connection: apsw.Connection, marks: Collection[bytes]) -> frozenset[bytes]:
    """Return the known marks."""
    if not marks:
        return frozenset()
    found = known_hashes(connection, _TABLE, {each: each.hex() for each in marks})
    return frozenset(map(bytes.fromhex, found))


def known_keys(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Return those of `keys` that belong to a message, or belonged to an erased one."""
    stored = frozenset(key for (key,) in fetch(connection, _STORED, (json.dumps(list(keys)),)))
    return stored | known_hashes(connection, _TABLE, {text_mark(key): key for key in keys})


def is_erased(connection: apsw.Connection, session: str) -> bool:
    """Return True if a session was erased and has got no new messages since."""
    asked = (session_mark(session),)
    was_erased = fetch(connection, "SELECT 1 FROM erased_message WHERE mark = ?", asked)
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def all_marks(connection: apsw.Connection) -> frozenset[bytes]:
    """Return the marks of everything that was erased."""
    return frozenset(mark for (mark,) in fetch(connection, "SELECT mark FROM erased_message"))


def remember_marks(connection: apsw.Connection, marks: Collection[bytes]) -> None:
    """Remember what was erased elsewhere."""
    connection.executemany(_REMEMBER, [(each,) for each in marks])


def copy_erased(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Make everything that was erased in one file known in another, too."""
    remember_marks(arriving, all_marks(leaving))
