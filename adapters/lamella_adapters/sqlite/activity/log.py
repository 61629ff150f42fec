"""Activity log of one project, in its file."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from attrs import define

from lamella.domain.audit.activity import SessionActivity
from lamella.ports.storage.activity import Activity, ActivityLog, ActivityTotals
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, structured, to_microseconds
from lamella_adapters.sqlite.transaction import InTransactions
from lamella_adapters.statements import statements

_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories", "edit")
SQL = statements(__file__, fields=", ".join(_FIELDS))
_END = 2**63 - 1


@define(eq=False)
class SqliteActivity(InTransactions, ActivityLog):
    """Activity of hooks and tools in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        return _activities(self._read("since", to_microseconds(moment)))

    def totals(self, since: datetime) -> ActivityTotals:
        """See `ActivityLog.totals`."""
        (row,) = self._read("totals", to_microseconds(since))
        return ActivityTotals(*row)

    def sessions(self, since: datetime) -> tuple[SessionActivity, ...]:
        """See `ActivityLog.sessions`."""
        return tuple(
            SessionActivity(session, from_microseconds(first), from_microseconds(latest), *counts)
            for session, first, latest, *counts in self._read("sessions", to_microseconds(since))
        )

    def used(self, since: datetime, *, recorded: datetime) -> frozenset[str] | None:
        """See `ActivityLog.used`."""
        rows = self._read("used", to_microseconds(since), to_microseconds(recorded))
        return frozenset(rows[0][0].split()) if rows else None

    def tokens(self, begins: Sequence[datetime]) -> tuple[int, ...]:
        """See `ActivityLog.tokens`."""
        moments = [*map(to_microseconds, begins), _END]
        return tuple(number for (number,) in self._read("tokens", json.dumps(list(pairwise(moments)))))

    def of_sessions(
        self, sessions: Collection[str | None], *, since: datetime, limit: int
    ) -> tuple[Activity, ...]:
        """See `ActivityLog.of_sessions`."""
        named = json.dumps([each for each in sessions if each is not None])
        return _activities(self._read("of_sessions", named, to_microseconds(since), limit, None in sessions))

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """See `ActivityLog.warnings`."""
        return _activities(self._read("warnings", name, limit, skip))

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.scope.reading() as opened:
            return fetch(opened.connection, SQL[statement], values)


def _activities(rows: Iterable[Sequence[Any]]) -> tuple[Activity, ...]:
    return structured(Activity, map(_fields, rows))


def _fields(row: Sequence[Any]) -> Mapping[str, object]:
    *fields, memories, edit = row
    return {
        **dict(zip(_FIELDS, fields, strict=False)),
        "memories": tuple((memories or "").split()),
        "edit": edit or "",
    }
