"""Activity log of one project, in its file."""

from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityLog
from lamella_adapters.sqlite.tables.activity_rows import activity_since
from lamella_adapters.sqlite.transaction import InTransactions


@define(eq=False)
class SqliteActivity(InTransactions, ActivityLog):
    """Activity of hooks and tools in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as opened:
            return activity_since(opened.connection, moment)
