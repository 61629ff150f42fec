"""Activity log of one project."""

from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityKind, ActivityLog
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.schema.statements import statements
from lamella_adapters.postgresql.transaction import InTransactions

SQL = statements(__file__)


@define(eq=False)
class PostgresActivity(InTransactions, ActivityLog):
    """Activity of hooks in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as turn:
            rows = turn.rows(SQL["since"], at=to_microseconds(moment), last=True)
        return tuple(
            Activity(
                name=name,
                at=from_microseconds(at),
                kind=ActivityKind(kind),
                session=session,
                about=about,
                tokens=tokens,
                memories=tuple(memories),
            )
            for name, at, kind, session, about, tokens, memories in rows
        )
