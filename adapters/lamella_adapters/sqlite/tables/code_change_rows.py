"""What came and went in each change, and what was captured, as rows."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence

import apsw

from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import packed
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.sqlite.file.connection import fetch

_MARK_BYTES = 16
_LEAVING = "(:origins IS NULL OR origin IN (SELECT value FROM json_each(:origins)))"
# The condition is our own constant.
_READ_CAPTURES = f"SELECT mark, origin FROM capture WHERE {_LEAVING}"  # noqa: S608 - made of our own constants
_READ_LINES = "SELECT place, came, went FROM changed_lines WHERE seq = ?"
_WRITE_LINES = "INSERT OR REPLACE INTO changed_lines VALUES (?, ?, ?, ?)"


def write_changes(connection: apsw.Connection, sequence: int, changes: Sequence[CodeChange]) -> None:
    """Stores the changes of an observation, and what came and went in them."""
    if not changes:
        return
    connection.executemany(
        "INSERT OR REPLACE INTO code_change VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (sequence, place, each.path, each.additions, each.deletions, each.hunks, each.former)
            for place, each in enumerate(changes)
        ],
    )
    connection.executemany(
        _WRITE_LINES,
        [
            (sequence, place, packed(lines.added), packed(lines.removed))
            for place, lines in enumerate(line_fingerprints(changes))
        ],
    )


def move_lines(leaving: apsw.Connection, arriving: apsw.Connection, there: int, here: int) -> None:
    """Copies what came and went in the changes of row `there` to row `here`."""
    arriving.executemany(_WRITE_LINES, [(here, *line) for line in fetch(leaving, _READ_LINES, (there,))])


def move_captures(leaving: apsw.Connection, arriving: apsw.Connection, asked: Mapping[str, str | None]) -> None:
    """Moves what is known to have been captured; `asked` has the `origins` that leave, or None for all."""
    captures = fetch(leaving, _READ_CAPTURES, asked)
    arriving.executemany("INSERT OR IGNORE INTO capture VALUES (?, ?)", captures)
    leaving.executemany("DELETE FROM capture WHERE mark = ?", [(mark,) for mark, _ in captures])


def remember(connection: apsw.Connection, request: str, origin: str) -> bool:
    """Remembers that a request was recorded; whether it hadn't been."""
    connection.execute("INSERT OR IGNORE INTO capture VALUES (?, ?)", (mark(request), origin))
    return connection.changes() > 0


def remembered(connection: apsw.Connection, requests: Collection[str]) -> Iterator[str]:
    """Those of `requests` that were recorded."""
    asked = {mark(request): request for request in requests}
    values = json.dumps([each.hex() for each in asked])
    statement = "SELECT mark FROM capture WHERE mark IN (SELECT unhex(value) FROM json_each(?))"
    return (asked[known] for (known,) in fetch(connection, statement, (values,)))


def mark(*said: str) -> bytes:
    """What stands for a text that need not be kept: a hash of 16 bytes."""
    return hashlib.blake2b(json.dumps(said).encode(), digest_size=_MARK_BYTES).digest()
