"""Audit trail of one project, in its file."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables.audit_rows import entries, number_by_time, take_over

_NEWEST = "ORDER BY at DESC, number DESC LIMIT ?"
_OLDER = "(at, number) < (SELECT at, number FROM audit WHERE number = ?)"
_ABOUT = "number IN (SELECT entry FROM audited WHERE memory = ?)"


@define(eq=False)
class SqliteAuditTrail(AuditTrail):
    """Changes of the memories of one project."""

    scope: Scope

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        conditions = {_OLDER: before, _ABOUT: memory and memory.bytes}
        given = {condition: value for condition, value in conditions.items() if value is not None}
        where = f"WHERE {' AND '.join(given)} {_NEWEST}" if given else _NEWEST
        with self.scope.reading() as opened:
            return entries(opened.connection, where, (*given.values(), limit), names=names)

    def add(self, entries: Sequence[Entry]) -> None:
        """See `AuditTrail.add`."""
        with self.scope.writing() as opened:
            for each in entries:
                take_over(opened.connection, each, opened.project)
            number_by_time(opened.connection)
