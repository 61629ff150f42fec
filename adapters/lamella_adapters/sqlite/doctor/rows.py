"""Whether rows are what was saved: nothing that SQLite checks tells when a text has become another one."""

import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

import apsw

from lamella.domain.errors import StorageDamagedError
from lamella.domain.memories.observation import Draft, Kind, Observation
from lamella.ports.storage.activity import ActivityKind
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import message_rows, observation_rows

_UNASSIGNED = "Cn"
_ONE = observation_rows.SELECT + " WHERE seq = ?"
_ACTIVITY = "SELECT CAST(name AS BLOB), at, CAST(kind AS BLOB) FROM activity"


def untrue_memories(connection: apsw.Connection) -> Iterator[int]:
    """The sequence numbers of memories that cannot be what was saved."""
    for (sequence,) in fetch(connection, "SELECT seq FROM observation"):
        if not _succeeds(partial(_is_saved, connection, sequence)):
            yield sequence


def untrue_rows(connection: apsw.Connection) -> Iterator[tuple[str, str, int | str]]:
    """Other rows that nothing can be made of: table, column and value that name each."""
    for (number,) in fetch(connection, "SELECT number FROM message"):
        if not _succeeds(partial(message_rows.messages, connection, [number])):
            yield "message", "number", number
    for name, at, kind in fetch(connection, _ACTIVITY):
        if not _succeeds(partial(_is_activity, name, at, kind)):
            yield "activity", "name", name.decode(errors="replace")


def accept(connection: apsw.Connection, sequence: object) -> None:
    """Takes a memory that has lost changes of files for what was saved, if a memory can be made of it."""
    _succeeds(partial(_print_anew, connection, sequence))


def _print_anew(connection: apsw.Connection, sequence: object) -> None:
    fingerprint = _fingerprint(_read(connection, sequence))
    connection.execute("UPDATE observation SET fingerprint = ? WHERE seq = ?", (fingerprint, sequence))


def _is_saved(connection: apsw.Connection, sequence: int) -> bool:
    found = _read(connection, sequence)
    # Further edits may have become a part of a captured one.
    if found.kind is Kind.CHANGE:
        return True
    saved: bytes = connection.execute("SELECT fingerprint FROM observation WHERE seq = ?", (sequence,)).get
    return _fingerprint(found) == saved or _is_printed_otherwise(found)


def _is_printed_otherwise(found: Observation) -> bool:
    """Whether another version of Python may make another fingerprint of it.

    That is made of `repr`, which escapes characters that the Unicode of its Python doesn't know. Those of Unicode
    3.2, which every Python has beside its own, all of them know.
    """
    changes = (text for change in found.changes for text in (change.path, change.hunks))
    texts = "".join((found.title, found.content, found.source, *changes))
    return any(unicodedata.ucd_3_2_0.category(each) == _UNASSIGNED for each in texts if not each.isascii())


def _read(connection: apsw.Connection, sequence: object) -> Observation:
    (found,) = observation_rows.observations(connection, "", fetch(connection, _ONE, (sequence,)))
    return found


def _fingerprint(found: Observation) -> bytes:
    return Draft(content=found.content, title=found.title, source=found.source, changes=found.changes).fingerprint


def _is_activity(name: bytes, at: int, kind: bytes) -> bool:
    return bool(name.decode() and observation_rows.from_microseconds(at) and ActivityKind(kind.decode()))


def _succeeds(attempt: Callable[[], object]) -> bool:
    # A text of bytes that are none is a ValueError, too.
    try:
        return bool(attempt())
    except (ValueError, TypeError, OverflowError, StorageDamagedError):
        return False
