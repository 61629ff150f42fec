"""Audit trail of one project, in its file."""

from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import AuditEntry
from lamella.ports.storage.audit import AuditTrail, Names
from lamella_adapters.sqlite.tables.audit_rows import entries
from lamella_adapters.sqlite.transaction import InTransactions

_NEWEST = "ORDER BY at DESC, number DESC LIMIT ?"
_OLDER = "(at, number) < (SELECT at, number FROM audit WHERE number = ?)"
_ABOUT = "number IN (SELECT entry FROM audited WHERE memory = ?)"


@define(eq=False)
class SqliteAuditTrail(InTransactions, AuditTrail):
    """Audit trail of one project."""

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: Names = None
    ) -> tuple[AuditEntry, ...]:
        """See `AuditTrail.entries`."""
        conditions = {_OLDER: before, _ABOUT: memory and memory.bytes}
        given = {condition: value for condition, value in conditions.items() if value is not None}
        where = f"WHERE {' AND '.join(given)} {_NEWEST}" if given else _NEWEST
        with self.scope.reading() as opened:
            return entries(opened.connection, where, (*given.values(), limit), names=names)
