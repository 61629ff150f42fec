"""Queries on the ledger of one project: the names of a file, its changes, and the fingerprints of their lines.

Times are in microseconds, as stored. Hooks use this module, so it imports little.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import apsw

from lamella.domain.ledger.fingerprints import LineFingerprints, fingerprints_of, unpacked
from lamella.domain.ledger.reintroduction import names_over_time
from lamella_adapters.sqlite.tables.packed_hunks import unpacked as unpacked_hunks
from lamella_adapters.statements import statements

Names = tuple[tuple[str, tuple[int, int] | None], ...]
"""Names of a file, latest first. A former name has the time and sequence number of the rename that ended it."""

SQL = statements(__file__)


class ChangeRow(NamedTuple):
    """Row of a change of a file. `added` and `removed` are None if the ledger has no fingerprints of it."""

    sequence: int
    place: int
    id: bytes
    occurred_at: int
    kind: str
    session: str | None
    title: str
    source: str
    path: str
    former: str | None
    additions: int | None
    deletions: int | None
    added: bytes | None
    removed: bytes | None


def file_names(connection: apsw.Connection, path: str) -> Names:
    """Return all names of the file now at `path`."""

    def rename(name: str, before: tuple[int, int] | None) -> tuple[str, tuple[int, int]] | None:
        for former, occurred_at, sequence in connection.execute(SQL["rename"], _bounds(name, before)):
            return former, (occurred_at, sequence)
        return None

    return names_over_time(path, rename)


def file_changes(connection: apsw.Connection, path: str, *, with_lines: bool) -> list[ChangeRow]:
    """Return every change of a file, latest first. If `with_lines` is false, leave out fingerprints."""
    statement = SQL["changes"].format(lines="came, went" if with_lines else "NULL, NULL")
    found = {
        row[:2]: ChangeRow(*row)
        for name, before in file_names(connection, path)
        for row in connection.execute(statement, _bounds(name, before))
    }
    return sorted(found.values(), key=_time, reverse=True)


def changes_below(connection: apsw.Connection, path: str, limit: int) -> list[ChangeRow]:
    """Return the latest changes of `path` or, if it is a folder, of its files. Fingerprints are left out."""
    start, end = ("", None) if path == "." else (f"{path}/", f"{path}0")
    found = {each[:2]: each for each in file_changes(connection, path, with_lines=False)}
    for row in connection.execute(SQL["below"], (start, end, end, limit)):
        found.setdefault(row[:2], ChangeRow(*row))
    return sorted(found.values(), key=_time, reverse=True)[:limit]


def touching(
    connection: apsw.Connection, path: str, fingerprints: frozenset[int]
) -> Iterator[tuple[ChangeRow, LineFingerprints]]:
    """Yield those changes of a file that add or remove a line with one of `fingerprints`, latest first."""
    for entry in file_changes(connection, path, with_lines=True):
        if entry.added is None or entry.removed is None:
            # A version of lamella without a ledger has saved the observation.
            lines = computed_fingerprints(connection, entry.sequence)[entry.place]
        else:
            lines = stored_fingerprints(entry.added, entry.removed)
        if not (fingerprints.isdisjoint(lines.added) and fingerprints.isdisjoint(lines.removed)):
            yield entry, lines


def computed_fingerprints(connection: apsw.Connection, sequence: int) -> Mapping[int, LineFingerprints]:
    """Compute the fingerprints of an observation's changes from their hunks, keyed by the index of the change."""
    rows: list[tuple[Any, ...]] = connection.execute(SQL["hunks"], (sequence,)).fetchall()
    hunks = [plain if stored is None else unpacked_hunks(stored, content) for _, plain, stored, content in rows]
    return {place: lines for (place, *_), lines in zip(rows, fingerprints_of(hunks), strict=True)}


def change_hunks(connection: apsw.Connection, id: bytes, path: str) -> str:
    """Return the hunks of a file's change in the memory `id`, or an empty text."""
    for plain, stored, content in connection.execute(SQL["hunk"], (id, path)):
        return str(plain) if stored is None else unpacked_hunks(stored, content)
    return ""


def stored_fingerprints(added: bytes, removed: bytes) -> LineFingerprints:
    """Return the fingerprints that are stored in two columns."""
    return LineFingerprints(added=unpacked(added), removed=unpacked(removed))


def _bounds(name: str, before: tuple[int, int] | None) -> dict[str, Any]:
    occurred_at, sequence = before or (None, None)
    return {"path": name, "moment": occurred_at, "seq": sequence}


def _time(entry: ChangeRow) -> tuple[int, int, int]:
    return entry.occurred_at, entry.sequence, entry.place
