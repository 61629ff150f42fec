"""Find altered rows by their fingerprints, because `PRAGMA integrity_check` doesn't detect changed text."""

import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

import apsw

from lamella.domain.errors import StorageDamagedError
from lamella.domain.memories.observation import Kind, Observation, fingerprint
from lamella.ports.storage.activity import ActivityKind
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import audit_rows, observation_rows
from lamella_adapters.sqlite.tables.conversations import message_rows

_UNASSIGNED = "Cn"
_TEXTS = "SELECT title, content, source FROM observation WHERE seq = ?"
_PATHS = "SELECT path FROM code_change WHERE seq = ?"
_ACTIVITY = "SELECT CAST(name AS BLOB), at, CAST(kind AS BLOB) FROM activity"


def altered_memories(connection: apsw.Connection) -> Iterator[int]:
    """Yield the sequence numbers of altered memories."""
    for (sequence,) in fetch(connection, "SELECT seq FROM observation"):
        if not _succeeds(partial(_is_saved, connection, sequence)):
            yield sequence


def altered_rows(connection: apsw.Connection) -> Iterator[tuple[str, str, int | str]]:
    """Yield the table, the key column and the key of each altered row in `message`, `activity` and `audit`.

    A row counts as altered if it can't be converted to a value.
    """
    for (number,) in fetch(connection, "SELECT number FROM message"):
        if not _succeeds(partial(message_rows.messages, connection, [number])):
            yield "message", "number", number
    for name, at, kind in fetch(connection, _ACTIVITY):
        if not _succeeds(partial(_is_activity, name, at, kind)):
            yield "activity", "name", name.decode(errors="replace")
    for (number,) in fetch(connection, "SELECT number FROM audit"):
        if not _succeeds(partial(audit_rows.entries, connection, "WHERE number = ?", (number,))):
            yield "audit", "number", number


def accept(connection: apsw.Connection, sequence: object) -> None:
    """Store a new fingerprint of a memory, if it is readable. Its present changes then count as complete."""
    _succeeds(partial(_renew_fingerprint, connection, sequence))


def _renew_fingerprint(connection: apsw.Connection, sequence: object) -> None:
    _read(connection, sequence)
    fingerprint = _fingerprint(connection, sequence)
    connection.execute("UPDATE observation SET fingerprint = ? WHERE seq = ?", (fingerprint, sequence))


def _is_saved(connection: apsw.Connection, sequence: int) -> bool:
    found = _read(connection, sequence)
    # Later edits may have extended a captured edit, so don't compare its fingerprint.
    if found.kind is Kind.CHANGE:
        return True
    saved: bytes = connection.execute("SELECT fingerprint FROM observation WHERE seq = ?", (sequence,)).get
    return _fingerprint(connection, sequence) == saved or _may_differ_by_version(found)


def _may_differ_by_version(found: Observation) -> bool:
    """Return True if the fingerprint may differ between versions of Python.

    A fingerprint depends on `repr`, which escapes characters missing from the Unicode tables of its Python.
    Characters of Unicode 3.2 are in the tables of every Python, and are never escaped.
    """
    changes = (text for change in found.changes for text in (change.path, change.hunks))
    texts = "".join((found.title, found.content, found.source, *changes))
    return any(unicodedata.ucd_3_2_0.category(each) == _UNASSIGNED for each in texts if not each.isascii())


def _read(connection: apsw.Connection, sequence: object) -> Observation:
    (found,) = observation_rows.observations_where(connection, "", "seq = ?", (sequence,))
    return found


def _fingerprint(connection: apsw.Connection, sequence: object) -> bytes:
    """Return the fingerprint of the stored texts.

    The texts are read from the columns. Earlier versions stored NUL characters, which are missing in an
    `Observation`.
    """
    ((title, content, source),) = fetch(connection, _TEXTS, (sequence,))
    return fingerprint(title, content, source, [path for (path,) in fetch(connection, _PATHS, (sequence,))])


def _is_activity(name: bytes, at: int, kind: bytes) -> bool:
    return bool(name.decode() and observation_rows.from_microseconds(at) and ActivityKind(kind.decode()))


def _succeeds(attempt: Callable[[], object]) -> bool:
    # Bytes outside UTF-8 raise a ValueError, too.
    try:
        return bool(attempt())
    except (ValueError, TypeError, OverflowError, StorageDamagedError, apsw.CorruptError):
        return False
