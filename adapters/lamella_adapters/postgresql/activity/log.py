"""Activity log of one project."""

from datetime import datetime
from typing import Any

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityKind, ActivityLog
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories")
SQL = statements(__file__, fields=", ".join(_FIELDS))


@define(eq=False)
class PostgresActivity(InTransactions, ActivityLog):
    """Activity of hooks in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["since"], at=to_microseconds(moment), last=True)
        return tuple(map(_activity, rows))


def _activity(row: Row) -> Activity:
    stored: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    at, kind, memories = from_microseconds(stored["at"]), ActivityKind(stored["kind"]), tuple(stored["memories"])
    return Activity(**{**stored, "at": at, "kind": kind, "memories": memories})
