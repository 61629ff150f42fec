"""Activity log of one project."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityKind, ActivityLog
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.schema.statements import statements

_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories")
SQL = statements(__file__)


@define(eq=False)
class PostgresActivity(ActivityLog):
    """Activity of hooks in one project."""

    scope: Scope

    def add(self, entries: Sequence[Activity]) -> None:
        """See `ActivityLog.add`."""
        if not entries:
            return
        rows = [
            (
                each.name,
                to_microseconds(each.at),
                each.kind.value,
                each.session,
                each.about,
                each.tokens,
                " ".join(each.memories),
            )
            for each in entries
        ]
        values = {field: list(column) for field, column in zip(_FIELDS, zip(*rows, strict=True), strict=True)}
        with self.scope.writing() as turn:
            turn.run(SQL["add"], **values)
            turn.run(SQL["drop"], oldest=to_microseconds(max(each.at for each in entries) - KEPT_FOR))

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
