"""Activity log of one project."""

from datetime import datetime
from typing import Any

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityKind, ActivityLog, ActivityTotals
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories", "edit")
SQL = statements(__file__, fields=", ".join(_FIELDS))


@define(eq=False)
class PostgresActivity(InTransactions, ActivityLog):
    """Log of hook activity in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["since"], at=to_microseconds(moment), last=True)
        return tuple(map(_activity, rows))

    def totals(self, since: datetime) -> ActivityTotals:
        """See `ActivityLog.totals`."""
        with self.scope.reading() as tx:
            (row,) = tx.rows(SQL["totals"], at=to_microseconds(since), last=True)
        return ActivityTotals(*map(int, row))

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """See `ActivityLog.warnings`."""
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["warnings"], limit=limit, skip=skip, name=name, last=True)
        return tuple(map(_activity, rows))


def _activity(row: Row) -> Activity:
    stored: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    at, kind, memories = from_microseconds(stored["at"]), ActivityKind(stored["kind"]), tuple(stored["memories"])
    return Activity(**{**stored, "at": at, "kind": kind, "memories": memories})
