"""Hashes of erased conversations and memories, which hold no text. They keep copies from restoring them."""

import json
from collections.abc import Collection, Sequence
from uuid import UUID

import apsw

from lamella.domain.conversations.message import record_of
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.code_change_rows import known_hashes, text_hash
from lamella_adapters.sqlite.tables.message_rows import ANY_OF_SESSION

_STORED = "SELECT key FROM message WHERE key IN (SELECT value FROM json_each(?))"
_REMEMBER = "INSERT OR IGNORE INTO erased_message VALUES (?)"
_TABLE = "erased_message"
_SESSION, _RECORD, _MEMORY = "session", "record", "memory"


def remember_erased(connection: apsw.Connection, session: str) -> None:
    """Remember a session that is about to be erased, the keys of its messages, and its records."""
    keys = fetch(connection, "SELECT key FROM message WHERE session = ?", (session,))
    if keys:
        ends = fetch(connection, "SELECT record FROM session_end WHERE session = ?", (session,))
        records = {*(record_of(key) for (key,) in keys), *(record for (record,) in ends)}
        hashes = [
            text_hash(_SESSION, session),
            *(text_hash(key) for (key,) in keys),
            *(text_hash(_RECORD, each) for each in records),
        ]
        connection.executemany(_REMEMBER, [(each,) for each in hashes])


def remember_memories(connection: apsw.Connection, ids: Sequence[UUID]) -> None:
    """Remember memories that are erased."""
    connection.executemany(_REMEMBER, [(text_hash(_MEMORY, each.hex),) for each in ids])


def erased_memories(connection: apsw.Connection, ids: Collection[UUID]) -> frozenset[UUID]:
    """Return those of `ids` whose memories were erased."""
    asked = {text_hash(_MEMORY, each.hex): each.hex for each in ids}
    return frozenset(map(UUID, known_hashes(connection, _TABLE, asked)))


def known_keys(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Return those of `keys` that belong to a message, or belonged to an erased one."""
    stored = frozenset(key for (key,) in fetch(connection, _STORED, (json.dumps(list(keys)),)))
    return stored | known_hashes(connection, _TABLE, {text_hash(key): key for key in keys})


def erased_records(connection: apsw.Connection, records: Collection[str]) -> frozenset[str]:
    """Return those of `records` that were in an erased session."""
    return known_hashes(connection, _TABLE, {text_hash(_RECORD, record): record for record in records})


def is_erased(connection: apsw.Connection, session: str) -> bool:
    """Return True if a session was erased and has got no new messages since."""
    asked = (text_hash(_SESSION, session),)
    was_erased = fetch(connection, "SELECT 1 FROM erased_message WHERE mark = ?", asked)
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def copy_erased(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Make everything that was erased in one file known in another, too."""
    arriving.executemany(_REMEMBER, fetch(leaving, "SELECT mark FROM erased_message"))
