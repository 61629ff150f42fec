"""Audit trail of one project."""

from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import AuditEntry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.postgresql.tables.audit_rows import SQL, entry
from lamella_adapters.postgresql.transaction import InTransactions

_ALL = 2**31 - 1
"""A limit larger than the number of memories in any entry."""


@define(eq=False)
class PostgresAuditTrail(InTransactions, AuditTrail):
    """Audit trail of one project."""

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[AuditEntry, ...]:
        """See `AuditTrail.entries`."""
        most = _ALL if names is None else names
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["newest"], before=before, limit=limit, memory=memory, names=most, last=True)
        return tuple(map(entry, rows))
