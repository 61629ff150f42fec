"""Activity of hooks as rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from lamella.domain.audit.activity import Activity
from lamella.domain.transactions.plan import LogActivity
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import structured, to_microseconds

_ADD = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_FIELDS = ("name", "at", "kind", "session", "about", "tokens")
# A file of an earlier version that can't be written has no `memories`, the last column, after `origin`.
_SINCE = "SELECT * FROM activity WHERE at >= ? ORDER BY at, name"


def log_activity(connection: apsw.Connection, write: LogActivity) -> None:
    """Add entries whose names are not known, and drop the old ones."""
    rows = [
        (
            *(each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens),
            write.origin,
            "".join(f"{id} " for id in each.memories) or None,
        )
        for each in write.entries
    ]
    connection.executemany(_ADD, rows)
    connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(write.oldest),))


def activity_since(connection: apsw.Connection, moment: datetime) -> tuple[Activity, ...]:
    """Return the entries at a moment or later, in order of time and then name."""
    return structured(Activity, map(_fields, fetch(connection, _SINCE, (to_microseconds(moment),))))


def _fields(row: Sequence[Any]) -> Mapping[str, object]:
    *fields, _ = row[: len(_FIELDS) + 1]
    memories = row[len(_FIELDS) + 1 :]
    return {**dict(zip(_FIELDS, fields, strict=True)), "memories": tuple("".join(filter(None, memories)).split())}
