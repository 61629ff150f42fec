"""Rows of code changes, of the fingerprints of their lines, and of recorded captures."""

import json
from collections.abc import Collection, Mapping, Sequence

import apsw
from attrs import evolve, frozen

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import packed, unpacked
from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.text.marks import text_mark
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.tables import packed_hunks

_COLUMNS = ("path", "additions", "deletions", "hunks", "former", "version")
# Columns are our own constants.
_READ = f"""
SELECT seq, place, packed, iif(packed IS NULL, '', (SELECT content FROM observation AS o WHERE o.seq = c.seq)),
  {", ".join(_COLUMNS)} FROM code_change AS c
WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq, place
"""  # noqa: S608 - see above
_READ_ROWS = f"SELECT place, {', '.join(_COLUMNS)}, packed FROM code_change WHERE seq = ?"  # noqa: S608 - see above
_WRITE = f"""
INSERT OR REPLACE INTO code_change (seq, place, {", ".join(_COLUMNS)}, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""  # noqa: S608 - see above
_READ_LINES = "SELECT place, came, went FROM changed_lines WHERE seq = ?"
_READ_ALL_LINES = """
SELECT seq, place, came, went FROM changed_lines JOIN code_change USING (seq, place)
WHERE seq IN (SELECT value FROM json_each(?)) AND hunks = '' AND packed IS NULL AND (came <> x'' OR went <> x'')
"""
_WRITE_LINES = "INSERT OR REPLACE INTO changed_lines VALUES (?, ?, ?, ?)"
_READ_TOLD = "SELECT seq, mark FROM told_removal WHERE seq = ?"
_WRITE_TOLD = "INSERT INTO told_removal VALUES (?, ?)"

Rows = Mapping[str, Sequence[tuple[object, ...]]]
"""Values of rows, by their insert statements."""


def changes_of(connection: apsw.Connection, sequences: Sequence[int]) -> dict[int, list[dict[str, object]]]:
    """Return the changes of each observation, in order, as the fields of `CodeChange`."""
    changes: dict[int, list[dict[str, object]]] = {sequence: [] for sequence in sequences}
    for sequence, _, stored, content, *row in fetch(connection, _READ, (json.dumps(sequences),)):
        if sequence not in changes:
            raise damaged()
        change = dict(zip(_COLUMNS, row, strict=True))
        if stored is not None:
            change["hunks"] = packed_hunks.unpacked(stored, content)
        changes[sequence].append(change)
    return changes


def lines_of(connection: apsw.Connection, sequences: Sequence[int]) -> dict[int, dict[int, LineFingerprints]]:
    """Return the stored fingerprints of each observation's changes, by their positions in it."""
    found: dict[int, dict[int, LineFingerprints]] = {}
    for sequence, place, came, went in fetch(connection, _READ_ALL_LINES, (json.dumps(sequences),)):
        found.setdefault(sequence, {})[place] = LineFingerprints(unpacked(came), unpacked(went))
    return found


@frozen
class ChangeRows:
    """Rows of an observation's changes, and of their added and removed lines, without its number."""

    changes: Sequence[tuple[object, ...]]
    lines: Sequence[tuple[object, ...]]

    @classmethod
    def of(cls, observation: Observation, lines: Sequence[LineFingerprints] = ()) -> "ChangeRows":
        """Return the rows of an observation. Without the fingerprints of its lines, they are computed, slowly."""
        told = lines or line_fingerprints(observation.changes)
        return cls(
            [_row(place, each, observation.content) for place, each in enumerate(observation.changes)],
            [(place, packed(each.added), packed(each.removed)) for place, each in enumerate(told)],
        )

    def write(self, connection: apsw.Connection, sequence: int) -> None:
        """Store the rows for the observation with a sequence number."""
        connection.executemany(_WRITE, [(sequence, *each) for each in self.changes])
        connection.executemany(_WRITE_LINES, [(sequence, *each) for each in self.lines])


def _row(place: int, change: CodeChange, content: str) -> tuple[object, ...]:
    stored = packed_hunks.packed(change.hunks, content)
    hunks = change.hunks if stored is None else ""
    version = change.version
    return place, change.path, change.additions, change.deletions, hunks, change.former, version, stored


def changes_without_hunks(connection: apsw.Connection, sequence: int, changes: Sequence[CodeChange]) -> Rows:
    """Return the rows of an observation's changes as they are after ageing, for `write_back`."""
    # Rows of a version without a ledger have no fingerprints, and they could not be computed later.
    computed = enumerate(line_fingerprints(changes))
    lines = {place: (packed(each.added), packed(each.removed)) for place, each in computed}
    lines |= {place: (came, went) for place, came, went in fetch(connection, _READ_LINES, (sequence,))}
    return {
        _WRITE: [(sequence, *_row(place, evolve(each, hunks=""), "")) for place, each in enumerate(changes)],
        _WRITE_LINES: [(sequence, place, *each) for place, each in lines.items()],
        _WRITE_TOLD: fetch(connection, _READ_TOLD, (sequence,)),
    }


def write_back(connection: apsw.Connection, rows: Rows) -> None:
    """Write the rows of an observation's changes again after its deletion."""
    for statement, values in rows.items():
        connection.executemany(statement, values)


def copy_changes(leaving: apsw.Connection, arriving: apsw.Connection, there: int, here: int) -> None:
    """Copy the changes of observation `there` in one file, with their fingerprints, to `here` in another."""
    ChangeRows(fetch(leaving, _READ_ROWS, (there,)), fetch(leaving, _READ_LINES, (there,))).write(arriving, here)


def remember_request(connection: apsw.Connection, request: str, origin: str) -> bool:
    """Remember a recorded request. Return False if it was already known."""
    connection.execute("INSERT OR IGNORE INTO capture VALUES (?, ?)", (text_mark(request), origin))
    return connection.changes() > 0


def recorded_requests(connection: apsw.Connection, requests: Collection[str]) -> frozenset[str]:
    """Return the recorded ones of `requests`."""
    return known_hashes(connection, "capture", {text_mark(request): request for request in requests})


def known_hashes(connection: apsw.Connection, table: str, asked: Mapping[bytes, str]) -> frozenset[str]:
    """Return the texts of `asked` with hashes in `table`."""
    values = json.dumps([each.hex() for each in asked])
    # The names of tables are our own constants.
    statement = f"SELECT mark FROM {table} WHERE mark IN (SELECT unhex(value) FROM json_each(?))"  # noqa: S608 - see above
    return frozenset(asked[known] for (known,) in fetch(connection, statement, (values,)))
