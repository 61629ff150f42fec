"""Activity log of one project, in its file."""

from collections.abc import Collection, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.audit.activity import SessionActivity
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

    def sessions(self, since: datetime) -> tuple[SessionActivity, ...]:
        """See `ActivityLog.sessions`."""
        with self.scope.reading() as opened:
            return activity_rows.sessions(opened.connection, since)

    def tokens(self, begins: Sequence[datetime]) -> tuple[int, ...]:
        """See `ActivityLog.tokens`."""
        with self.scope.reading() as opened:
            return activity_rows.tokens(opened.connection, begins)

    def of_sessions(
        self, sessions: Collection[str | None], *, since: datetime, limit: int
    ) -> tuple[Activity, ...]:
        """See `ActivityLog.of_sessions`."""
        with self.scope.reading() as opened:
            return activity_rows.of_sessions(opened.connection, sessions, since, limit)

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """See `ActivityLog.warnings`."""
        with self.scope.reading() as opened:
            return activity_rows.warnings(opened.connection, limit, skip, name)
