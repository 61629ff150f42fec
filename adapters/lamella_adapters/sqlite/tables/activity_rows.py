"""Activity of hooks as rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from lamella.domain.audit.activity import Activity, ActivityTotals
from lamella.domain.transactions.plan import LogActivity
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import structured, to_microseconds

_ADD = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories", "edit")
_ENTRIES = f"SELECT {', '.join(_FIELDS)} FROM activity WHERE "  # noqa: S608 - our own columns
_SINCE = f"{_ENTRIES} at >= ? ORDER BY at, name"
_WARNINGS = f"{_ENTRIES} edit IS NOT NULL AND ifnull(name = ?, TRUE) ORDER BY at DESC, name DESC LIMIT ? OFFSET ?"
_TOTALS = """
SELECT count(*), coalesce(sum(tokens), 0), (SELECT count(*) FROM activity WHERE at >= ?1 AND edit IS NOT NULL)
FROM activity INDEXED BY activity_given WHERE at >= ?1 AND kind = 'injected'
"""


def log_activity(connection: apsw.Connection, write: LogActivity) -> None:
    """Add entries whose names are not known, and drop the old ones."""
    rows = [
        (
            *(each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens),
            write.origin,
            "".join(f"{id} " for id in each.memories) or None,
            each.edit or None,
        )
        for each in write.entries
    ]
    connection.executemany(_ADD, rows)
    connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(write.oldest),))


def activity_since(connection: apsw.Connection, moment: datetime) -> tuple[Activity, ...]:
    """Return the entries at a moment or later, in order of time and then name."""
    return structured(Activity, map(_fields, fetch(connection, _SINCE, (to_microseconds(moment),))))


def warnings(connection: apsw.Connection, limit: int, skip: int, name: str | None) -> tuple[Activity, ...]:
    """Return the entries with an edit, latest first."""
    return structured(Activity, map(_fields, fetch(connection, _WARNINGS, (name, limit, skip))))


def totals(connection: apsw.Connection, since: datetime) -> ActivityTotals:
    """Count contexts, tokens and warnings since a moment."""
    (row,) = fetch(connection, _TOTALS, (to_microseconds(since),))
    return ActivityTotals(*row)


def _fields(row: Sequence[Any]) -> Mapping[str, object]:
    *fields, memories, edit = row
    return {
        **dict(zip(_FIELDS, fields, strict=False)),
        "memories": tuple((memories or "").split()),
        "edit": edit or "",
    }
