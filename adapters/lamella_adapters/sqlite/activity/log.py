"""Activity log of one project, in its file."""

from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityLog, ActivityTotals
from lamella_adapters.sqlite.tables import activity_rows
from lamella_adapters.sqlite.transaction import InTransactions


@define(eq=False)
class SqliteActivity(InTransactions, ActivityLog):
    """Activity of hooks and tools in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as opened:
            return activity_rows.activity_since(opened.connection, moment)

    def totals(self, since: datetime) -> ActivityTotals:
        """See `ActivityLog.totals`."""
        with self.scope.reading() as opened:
            return activity_rows.totals(opened.connection, since)

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """See `ActivityLog.warnings`."""
        with self.scope.reading() as opened:
            return activity_rows.warnings(opened.connection, limit, skip, name)
