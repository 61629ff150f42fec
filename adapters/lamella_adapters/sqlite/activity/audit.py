"""Audit trail of one project, in its file."""

from collections.abc import Sequence

from attrs import define

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables.audit_rows import entries, take_over

_NEWEST = "ORDER BY at DESC, number DESC LIMIT ?"
_OLDER = f"WHERE (at, number) < (SELECT at, number FROM audit WHERE number = ?) {_NEWEST}"  # noqa: S608 - made of our own constants


@define(eq=False)
class SqliteAuditTrail(AuditTrail):
    """Changes of the memories of one project."""

    scope: Scope

    def entries(self, *, before: int | None = None, limit: int) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        with self.scope.reading() as opened:
            if before is None:
                return entries(opened.connection, _NEWEST, (limit,))
            return entries(opened.connection, _OLDER, (before, limit))

    def add(self, entries: Sequence[Entry]) -> None:
        """See `AuditTrail.add`."""
        with self.scope.writing() as opened:
            for each in entries:
                take_over(opened.connection, each, opened.project)
