"""Rows of code changes, of the fingerprints of their lines, and of recorded captures."""

import json
from collections.abc import Collection, Mapping, Sequence

import apsw
from attrs import evolve, frozen

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints, packed, unpacked
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.text.marks import text_mark
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.tables import packed_hunks
from lamella_adapters.statements import statements

_COLUMNS = ("path", "additions", "deletions", "hunks", "former", "version")
SQL = statements(__file__, columns=", ".join(_COLUMNS))

Rows = Mapping[str, Sequence[tuple[object, ...]]]
"""Rows to insert, keyed by the statement to insert them."""


def changes_of(connection: apsw.Connection, sequences: Sequence[int]) -> dict[int, list[dict[str, object]]]:
    """Return the fields of the `CodeChange` objects of observations, keyed by sequence number.

    The changes of an observation are in the observation's order.
    """
    changes: dict[int, list[dict[str, object]]] = {sequence: [] for sequence in sequences}
    for sequence, _, stored, content, *row in fetch(connection, SQL["read"], (json.dumps(sequences),)):
        if sequence not in changes:
            raise failure("damaged")
        change = dict(zip(_COLUMNS, row, strict=True))
        if stored is not None:
            change["hunks"] = packed_hunks.unpacked(stored, content)
        changes[sequence].append(change)
    return changes


def lines_of(connection: apsw.Connection, sequences: Sequence[int]) -> dict[int, dict[int, LineFingerprints]]:
    """Return the stored fingerprints, keyed by sequence number and then by the position of the change."""
    found: dict[int, dict[int, LineFingerprints]] = {}
    for sequence, place, came, went in fetch(connection, SQL["read_all_lines"], (json.dumps(sequences),)):
        found.setdefault(sequence, {})[place] = LineFingerprints(unpacked(came), unpacked(went))
    return found


@frozen
class ChangeRows:
    """Rows of an observation's changes and of their lines, without the sequence number."""

    changes: Sequence[tuple[object, ...]]
    lines: Sequence[tuple[object, ...]]

    @classmethod
    def of(cls, observation: Observation, lines: Sequence[LineFingerprints] = ()) -> "ChangeRows":
        """Return the rows of an observation.

        `lines` are the fingerprints of its changed lines. If `lines` is empty, the fingerprints are computed,
        which is slow.
        """
        fingerprints = lines or line_fingerprints(observation.changes)
        return cls(
            [_row(place, each, observation.content) for place, each in enumerate(observation.changes)],
            [(place, packed(each.added), packed(each.removed)) for place, each in enumerate(fingerprints)],
        )

    def write(self, connection: apsw.Connection, sequence: int) -> None:
        """Store the rows for the observation with the number `sequence`."""
        connection.executemany(SQL["write"], [(sequence, *each) for each in self.changes])
        connection.executemany(SQL["write_lines"], [(sequence, *each) for each in self.lines])


def _row(place: int, change: CodeChange, content: str) -> tuple[object, ...]:
    stored = packed_hunks.packed(change.hunks, content)
    hunks = change.hunks if stored is None else ""
    version = change.version
    return place, change.path, change.additions, change.deletions, hunks, change.former, version, stored


def changes_without_hunks(connection: apsw.Connection, sequence: int, changes: Sequence[CodeChange]) -> Rows:
    """Return the rows of an observation's changes, for `write_back`. Omit the hunks, because ageing drops them."""
    # Versions without a ledger haven't stored fingerprints. Compute them now, because later the lines are gone.
    computed = enumerate(line_fingerprints(changes))
    lines = {place: (packed(each.added), packed(each.removed)) for place, each in computed}
    lines |= {place: (came, went) for place, came, went in fetch(connection, SQL["read_lines"], (sequence,))}
    return {
        SQL["write"]: [(sequence, *_row(place, evolve(each, hunks=""), "")) for place, each in enumerate(changes)],
        SQL["write_lines"]: [(sequence, place, *each) for place, each in lines.items()],
        SQL["write_told"]: fetch(connection, SQL["read_told"], (sequence,)),
    }


def write_back(connection: apsw.Connection, rows: Rows) -> None:
    """Write the rows of an observation's changes again after the observation's deletion."""
    for statement, values in rows.items():
        connection.executemany(statement, values)


def copy_changes(leaving: apsw.Connection, arriving: apsw.Connection, there: int, here: int) -> None:
    """Copy the changes of an observation, with their fingerprints, from one file to another.

    The observation has the number `there` in the file `leaving`, and the number `here` in the file `arriving`.
    """
    changes, lines = (fetch(leaving, SQL[each], (there,)) for each in ("read_rows", "read_lines"))
    ChangeRows(changes, lines).write(arriving, here)


def remember_request(connection: apsw.Connection, request: str, origin: str) -> bool:
    """Record the request id of a capture. Return False if the id was already recorded."""
    connection.execute("INSERT OR IGNORE INTO capture VALUES (?, ?)", (text_mark(request), origin))
    return connection.changes() > 0


def recorded_requests(connection: apsw.Connection, requests: Collection[str]) -> frozenset[str]:
    """Return the subset of `requests` that is recorded."""
    return known_hashes(connection, "capture", {text_mark(request): request for request in requests})


def known_hashes(connection: apsw.Connection, table: str, asked: Mapping[bytes, str]) -> frozenset[str]:
    """Return the texts of `asked` whose hashes are in `table`. The keys of `asked` are the hashes."""
    values = json.dumps([each.hex() for each in asked])
    # Callers pass constants as `table`, so nothing can be injected into the SQL.
    statement = f"SELECT mark FROM {table} WHERE mark IN (SELECT unhex(value) FROM json_each(?))"  # noqa: S608 - see above
    return frozenset(asked[known] for (known,) in fetch(connection, statement, (values,)))
