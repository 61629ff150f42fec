"""Activity of hooks as rows."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

import apsw

from lamella.domain.audit.activity import Activity, ActivityTotals, SessionActivity
from lamella.domain.transactions.plan import LogActivity
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, structured, to_microseconds
from lamella_adapters.statements import statements

_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories", "edit")
SQL = statements(__file__, fields=", ".join(_FIELDS))
_END = 2**63 - 1


def log_activity(connection: apsw.Connection, write: LogActivity) -> None:
    """Add entries with new names, and drop old ones."""
    rows = [
        (
            *(each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens),
            write.origin,
            "".join(f"{id} " for id in each.memories) or None,
            each.edit or None,
        )
        for each in write.entries
    ]
    connection.executemany(SQL["add"], rows)
    connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(write.oldest),))


def activity_since(connection: apsw.Connection, moment: datetime) -> tuple[Activity, ...]:
    """Return the entries at a moment or later, in order of time and then name."""
    return structured(Activity, map(_fields, fetch(connection, SQL["since"], (to_microseconds(moment),))))


def sessions(connection: apsw.Connection, since: datetime) -> tuple[SessionActivity, ...]:
    """Count the entries since a time by session, the latest session first."""
    rows = fetch(connection, SQL["sessions"], (to_microseconds(since),))
    return tuple(
        SessionActivity(session, from_microseconds(first), from_microseconds(latest), *counts)
        for session, first, latest, *counts in rows
    )


def tokens(connection: apsw.Connection, begins: Sequence[datetime]) -> tuple[int, ...]:
    """Return the tokens given from each time to the next."""
    moments = [*map(to_microseconds, begins), _END]
    rows = fetch(connection, SQL["tokens"], (json.dumps(list(pairwise(moments))),))
    return tuple(number for (number,) in rows)


def of_sessions(
    connection: apsw.Connection, asked: Collection[str | None], since: datetime, limit: int
) -> tuple[Activity, ...]:
    """Return the latest entries of each of some sessions, latest first."""
    given = json.dumps([each for each in asked if each is not None]), to_microseconds(since), limit, None in asked
    return structured(Activity, map(_fields, fetch(connection, SQL["of_sessions"], given)))


def warnings(connection: apsw.Connection, limit: int, skip: int, name: str | None) -> tuple[Activity, ...]:
    """Return the entries with an edit, latest first."""
    return structured(Activity, map(_fields, fetch(connection, SQL["warnings"], (name, limit, skip))))


def totals(connection: apsw.Connection, since: datetime) -> ActivityTotals:
    """Count given texts, tokens and warnings since a time."""
    (row,) = fetch(connection, SQL["totals"], (to_microseconds(since),))
    return ActivityTotals(*row)


def _fields(row: Sequence[Any]) -> Mapping[str, object]:
    *fields, memories, edit = row
    return {
        **dict(zip(_FIELDS, fields, strict=False)),
        "memories": tuple((memories or "").split()),
        "edit": edit or "",
    }
