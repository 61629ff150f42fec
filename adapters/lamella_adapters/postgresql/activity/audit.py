"""Audit trail of one project."""

from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import AuditEntry
from lamella.ports.storage.audit import AuditTrail, Names
from lamella_adapters.postgresql.tables.audit_rows import SQL, entry
from lamella_adapters.postgresql.transaction import InTransactions

_ALL = 2**31 - 1
"""A limit larger than the number of memories in any entry."""


@define(eq=False)
class PostgresAuditTrail(InTransactions, AuditTrail):
    """Audit trail of one project."""

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: Names = None
    ) -> tuple[AuditEntry, ...]:
        """See `AuditTrail.entries`."""
        among = None if names is None or isinstance(names, int) else list(names)
        chosen = {"names": names if isinstance(names, int) else _ALL, "among": among, "memory": memory}
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["newest"], before=before, limit=limit, **chosen, last=True)
        return tuple(map(entry, rows))
