"""Marks of erased conversations and memories. They keep copies from restoring them."""

import json
from collections.abc import Collection

import apsw

from lamella.domain.text.marks import session_mark, text_mark
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.code_change_rows import known_hashes
from lamella_adapters.sqlite.tables.conversations.message_rows import ANY_OF_SESSION

_STORED = "SELECT key FROM message WHERE key IN (SELECT value FROM json_each(?))"
_REMEMBER = "INSERT OR IGNORE INTO erased_message VALUES (?)"
_TABLE = "erased_message"


def known_marks(connection: apsw.Connection, marks: Collection[bytes]) -> frozenset[bytes]:
    """Return the known marks."""
    found = known_hashes(connection, _TABLE, {each: each.hex() for each in marks})
    return frozenset(map(bytes.fromhex, found))


def known_keys(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Return the ones of `keys` known from stored or erased messages."""
    stored = frozenset(key for (key,) in fetch(connection, _STORED, (json.dumps(list(keys)),)))
    return stored | known_hashes(connection, _TABLE, {text_mark(key): key for key in keys})


def is_erased(connection: apsw.Connection, session: str) -> bool:
    """Return True if a session was erased and has no new messages since."""
    asked = (session_mark(session),)
    was_erased = fetch(connection, "SELECT 1 FROM erased_message WHERE mark = ?", asked)
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def all_marks(connection: apsw.Connection) -> frozenset[bytes]:
    """Return the marks of all erased data."""
    return frozenset(mark for (mark,) in fetch(connection, "SELECT mark FROM erased_message"))


def remember_marks(connection: apsw.Connection, marks: Collection[bytes]) -> None:
    """Remember marks erased elsewhere."""
    connection.executemany(_REMEMBER, [(each,) for each in marks])


def copy_erased(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Copy the marks of erased data from one file to another."""
    remember_marks(arriving, all_marks(leaving))
