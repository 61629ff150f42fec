"""Delete rows and their index entries permanently. Record the ids until the bytes of the rows are overwritten.

The file keeps a mark of each erased memory, session and message, so that no import brings it back. A mark is a
hash from `domain.text.marks`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import apsw
from attrs import frozen

from lamella.domain.text.marks import memory_mark, session_mark, text_mark
from lamella.domain.transactions.erasing import session_marks
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX
from lamella_adapters.sqlite.tables import audit_rows, code_change_rows, context_column
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.conversations.message_rows import ANY_OF_SESSION
from lamella_adapters.statements import statements

SQL = statements(__file__)
_TABLE = "erased_message"


def known_marks(connection: apsw.Connection, marks: Collection[bytes]) -> frozenset[bytes]:
    """Return the subset of `marks` that belong to data erased in the project."""
    found = code_change_rows.known_hashes(connection, _TABLE, {each: each.hex() for each in marks})
    return frozenset(map(bytes.fromhex, found))


def known_keys(connection: apsw.Connection, keys: Collection[str]) -> frozenset[str]:
    """Return the subset of `keys` that belong to stored or erased messages."""
    stored = frozenset(key for (key,) in fetch(connection, SQL["stored"], (json.dumps(list(keys)),)))
    return stored | code_change_rows.known_hashes(connection, _TABLE, {text_mark(key): key for key in keys})


def is_erased(connection: apsw.Connection, session: str) -> bool:
    """Return True if a session was erased, and has no messages from later imports."""
    asked = (session_mark(session),)
    was_erased = fetch(connection, SQL["erased"], asked)
    return bool(was_erased) and not fetch(connection, ANY_OF_SESSION, (session,))


def all_marks(connection: apsw.Connection) -> frozenset[bytes]:
    """Return the marks of all erased data."""
    return frozenset(mark for (mark,) in fetch(connection, SQL["marks"]))


def remember_marks(connection: apsw.Connection, marks: Collection[bytes]) -> None:
    """Record marks of data that was erased in another project or storage."""
    connection.executemany(SQL["remember"], [(each,) for each in marks])


def copy_erased(leaving: apsw.Connection, arriving: apsw.Connection) -> None:
    """Copy the marks of erased data from one file to another."""
    remember_marks(arriving, all_marks(leaving))


@frozen
class ErasedMemories:
    """Memories to erase, with all references to them."""

    ids: Sequence[UUID]

    def traced(self, connection: apsw.Connection, *, rows: bool) -> bool:
        """Return True if the file has traces of the memories.

        It has traces if a memory was moved from this file to another, or if anything here refers to a memory. If
        `rows` is true, a memory in the file is also a trace.
        """
        traces = ("departed", "replaced_by", "audited", "shown", *(("place",) if rows else ()))
        return any(fetch(connection, SQL[trace], (id.bytes,)) for trace in traces for id in self.ids)

    def there(self, connection: apsw.Connection) -> bool:
        """Return True if any of the memories is in the file, or was moved from the file to another."""
        return any(
            fetch(connection, SQL[trace], (id.bytes,)) for trace in ("place", "departed") for id in self.ids
        )

    def delete(self, connection: apsw.Connection, *, rows: bool = True) -> set[UUID]:
        """Delete the memories and all references to them. Return the ids of the deleted memories.

        If `rows` is false, delete only references, and the bytes of rows that were moved to another file.
        """
        done = set()
        connection.executemany(SQL["unlink"], [(id.bytes,) for id in self.ids])
        departed = {id for id in self.ids if fetch(connection, SQL["departed"], (id.bytes,))}
        for id in self.ids if rows else ():
            for sequence, session, occurred_at in fetch(connection, SQL["place"], (id.bytes,)):
                connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
                context_column.refresh_followers(connection, session, occurred_at, sequence)
                done.add(id)
        _overwrite(connection, [id.bytes for id in departed | done], "search", "search_purged")
        audit_rows.forget(connection, self.ids)
        connection.executemany(SQL["unshow"], [{"id": id.hex} for id in self.ids])
        return done

    def marks(self, connection: apsw.Connection) -> Sequence[bytes]:
        """Return the marks of those memories that are in the file."""
        return [memory_mark(id) for id in self.ids if fetch(connection, SQL["place"], (id.bytes,))]


@frozen
class ErasedSession:
    """Session to erase, with all references to it."""

    session: str

    def traced(self, connection: apsw.Connection, *, rows: bool) -> bool:
        """Return True if messages of the session were moved from the file to another.

        If `rows` is true, also return True if the file has rows of the session.
        """
        departed = fetch(connection, SQL["departed"], (message_rows.id_of_session(self.session),))
        queries = (message_rows.ANY_OF_SESSION, SQL["any_activity"]) if rows else ()
        return bool(departed) or any(fetch(connection, asked, (self.session,)) for asked in queries)

    def there(self, connection: apsw.Connection) -> bool:
        """Return True if any row of the session is in the file, or was moved from the file to another."""
        return self.traced(connection, rows=True)

    def delete(self, connection: apsw.Connection, *, rows: bool = True) -> set[str]:
        """Delete the rows of the session. Return the keys of the deleted messages.

        If `rows` is false, only have the bytes of rows that were moved to another file overwritten.
        """
        traced = self.traced(connection, rows=rows)
        done = set(keys_of(connection, self.session).values()) if rows else set()
        for table in ("message", "session_name", "session_end", "summary", "activity") if rows else ():
            connection.execute(f"DELETE FROM {table} WHERE session = ?", (self.session,))  # noqa: S608 - our own constants
        if traced:
            _overwrite(connection, [message_rows.id_of_session(self.session)], MESSAGE_INDEX)
        return done

    def marks(self, connection: apsw.Connection) -> Sequence[bytes]:
        """Return the marks of the session, or no marks if it has no messages here."""
        keys = list(keys_of(connection, self.session).values())
        return session_marks(self.session, keys, ends_of(connection, self.session)) if keys else ()


def keys_of(connection: apsw.Connection, session: str) -> Mapping[int, str]:
    """Return the keys of the messages of a session, keyed by message number."""
    return dict(fetch(connection, SQL["keys"], (session,)))


def ends_of(connection: apsw.Connection, session: str) -> tuple[str, ...]:
    """Return the ids of the records with which the imported conversations of a session end."""
    return tuple(record for (record,) in fetch(connection, SQL["ends"], (session,)))


def _overwrite(connection: apsw.Connection, ids: Sequence[bytes], *indexes: str) -> None:
    """Rewrite the indexes without deleted entries. Record the ids of rows whose bytes remain elsewhere."""
    if not ids:
        return
    connection.executemany("DELETE FROM departed WHERE id = ?", [(id,) for id in ids])
    connection.executemany("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", [(id,) for id in ids])
    for index in indexes:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our own constants
