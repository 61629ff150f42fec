"""Reading the ledger of one project: the names of a file, its changes, and what came and went in them.

Times are microseconds, as they are stored. Hooks use this module, so it imports little.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import apsw

from lamella.domain.ledger.fingerprints import unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints, fingerprints_of
from lamella.domain.ledger.reintroduction import names_over_time

Names = tuple[tuple[str, tuple[int, int] | None], ...]
"""The names of a file, latest first, each with the moment and sequence number before which it was its name."""

_BEFORE = "(:moment IS NULL OR (o.moment, o.seq) < (:moment, :seq))"
# The condition is our own constant.
_RENAME = f"""
SELECT former, moment, seq FROM code_change AS c JOIN observation AS o USING (seq)
WHERE path = :path AND former <> path AND purged_at IS NULL AND {_BEFORE} ORDER BY moment DESC, seq DESC LIMIT 1
"""  # noqa: S608 - made of our own constants
_CHANGES = f"""
SELECT o.seq, c.place, id, moment, kind, session, title, source, path, former, additions, deletions, {{lines}}
FROM code_change AS c JOIN observation AS o USING (seq) LEFT JOIN changed_lines AS l USING (seq, place)
WHERE path = :path AND purged_at IS NULL AND {_BEFORE}
"""  # noqa: S608 - made of our own constants
_READ_HUNKS = "SELECT place, hunks FROM code_change WHERE seq = ? ORDER BY place"


class Entry(NamedTuple):
    """A row of a change of a file; `came` and `went` are None where the ledger has no lines of it."""

    sequence: int
    place: int
    id: bytes
    moment: int
    kind: str
    session: str | None
    title: str
    source: str
    path: str
    former: str | None
    additions: int | None
    deletions: int | None
    came: bytes | None
    went: bytes | None


def names(connection: apsw.Connection, path: str) -> Names:
    """The names of the file that is at `path` now."""

    def rename(name: str, before: tuple[int, int] | None) -> tuple[str, tuple[int, int]] | None:
        for former, moment, sequence in connection.execute(_RENAME, _bounds(name, before)):
            return former, (moment, sequence)
        return None

    return names_over_time(path, rename)


def changes(connection: apsw.Connection, path: str, *, with_lines: bool) -> list[Entry]:
    """Every change of a file, latest first, with the lines that came and went or without."""
    statement = _CHANGES.format(lines="came, went" if with_lines else "NULL, NULL")
    found = {
        row[:2]: Entry(*row)
        for name, before in names(connection, path)
        for row in connection.execute(statement, _bounds(name, before))
    }
    return sorted(found.values(), key=_time, reverse=True)


def touched(
    connection: apsw.Connection, path: str, fingerprints: frozenset[int]
) -> Iterator[tuple[Entry, LineFingerprints]]:
    """The changes of a file that have to do with some of `marks`, latest first."""
    for entry in changes(connection, path, with_lines=True):
        if entry.came is None or entry.went is None:
            # Saved before there was a ledger.
            lines = lines_of(connection, entry.sequence)[entry.place]
        else:
            lines = read_lines(entry.came, entry.went)
        if not (fingerprints.isdisjoint(lines.added) and fingerprints.isdisjoint(lines.removed)):
            yield entry, lines


def lines_of(connection: apsw.Connection, sequence: int) -> Mapping[int, LineFingerprints]:
    """What came and went in each change of an observation that is not in the ledger, by its place."""
    rows: list[tuple[Any, ...]] = connection.execute(_READ_HUNKS, (sequence,)).fetchall()
    made = fingerprints_of([hunks for _, hunks in rows])
    return {place: lines for (place, _), lines in zip(rows, made, strict=True)}


def read_lines(came: bytes, went: bytes) -> LineFingerprints:
    """What came and went, as it is stored."""
    return LineFingerprints(added=unpacked(came), removed=unpacked(went))


def _bounds(name: str, before: tuple[int, int] | None) -> dict[str, Any]:
    moment, sequence = before or (None, None)
    return {"path": name, "moment": moment, "seq": sequence}


def _time(entry: Entry) -> tuple[int, int, int]:
    return entry.moment, entry.sequence, entry.place
