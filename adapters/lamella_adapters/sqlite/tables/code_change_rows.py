"""Rows of code changes, of the fingerprints of their lines, and of recorded captures."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence

import apsw
from attrs import frozen

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import packed
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.sqlite.file.connection import damaged, fetch

_HASH_BYTES = 16
_COLUMNS = ("path", "additions", "deletions", "hunks", "former", "version")
# Columns are our own constants.
_READ = f"""
SELECT seq, place, {", ".join(_COLUMNS)} FROM code_change
WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq, place
"""  # noqa: S608 - see above
_WRITE = f"""
INSERT OR REPLACE INTO code_change (seq, place, {", ".join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""  # noqa: S608 - see above
_READ_LINES = "SELECT place, came, went FROM changed_lines WHERE seq = ?"
_WRITE_LINES = "INSERT OR REPLACE INTO changed_lines VALUES (?, ?, ?, ?)"


def changes_of(connection: apsw.Connection, sequences: Sequence[int]) -> dict[int, list[dict[str, object]]]:
    """Return the changes of each observation, in order, as the fields of `CodeChange`."""
    changes: dict[int, list[dict[str, object]]] = {sequence: [] for sequence in sequences}
    for sequence, _, *change in fetch(connection, _READ, (json.dumps(sequences),)) if sequences else ():
        if sequence not in changes:
            raise damaged()
        changes[sequence].append(dict(zip(_COLUMNS, change, strict=True)))
    return changes


@frozen
class ChangeRows:
    """Rows of the changes of an observation, and of the lines that they added and removed, without its number."""

    changes: Sequence[tuple[object, ...]] = ()
    lines: Sequence[tuple[object, ...]] = ()

    @classmethod
    def of(cls, changes: Sequence[CodeChange]) -> "ChangeRows":
        """Return the rows of some changes. The fingerprints of their lines are computed, which is slow."""
        return cls(
            [
                (place, each.path, each.additions, each.deletions, each.hunks, each.former, each.version)
                for place, each in enumerate(changes)
            ],
            [
                (place, packed(lines.added), packed(lines.removed))
                for place, lines in enumerate(line_fingerprints(changes))
            ],
        )

    def write(self, connection: apsw.Connection, sequence: int) -> None:
        """Store the rows for the observation with a sequence number."""
        if self.changes:
            connection.executemany(_WRITE, [(sequence, *each) for each in self.changes])
            connection.executemany(_WRITE_LINES, [(sequence, *each) for each in self.lines])


def copy_changes(leaving: apsw.Connection, arriving: apsw.Connection, there: int, here: int) -> None:
    """Copy the changes of observation `there` in one file, with their fingerprints, to `here` in another."""
    changes = [tuple(change) for _, *change in fetch(leaving, _READ, (json.dumps([there]),))]
    ChangeRows(changes, fetch(leaving, _READ_LINES, (there,))).write(arriving, here)


def remember_request(connection: apsw.Connection, request: str, origin: str) -> bool:
    """Remember that a request was recorded. Return False if it was known already."""
    connection.execute("INSERT OR IGNORE INTO capture VALUES (?, ?)", (text_hash(request), origin))
    return connection.changes() > 0


def recorded_requests(connection: apsw.Connection, requests: Collection[str]) -> frozenset[str]:
    """Return those of `requests` that were recorded."""
    return known_hashes(connection, "capture", {text_hash(request): request for request in requests})


def known_hashes(connection: apsw.Connection, table: str, asked: Mapping[bytes, str]) -> frozenset[str]:
    """Return the texts of `asked` whose hashes are in `table`."""
    values = json.dumps([each.hex() for each in asked])
    # The names of tables are our own constants.
    statement = f"SELECT mark FROM {table} WHERE mark IN (SELECT unhex(value) FROM json_each(?))"  # noqa: S608 - see above
    return frozenset(asked[known] for (known,) in fetch(connection, statement, (values,)))


def text_hash(*texts: str) -> bytes:
    """Return a hash of 16 bytes, to recognise texts without keeping them."""
    return hashlib.blake2b(json.dumps(texts).encode(), digest_size=_HASH_BYTES).digest()
