"""Audit trail of one project."""

from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.postgresql.tables.audit_rows import CHANGES, FEW_NAMED, entry
from lamella_adapters.postgresql.transaction import InTransactions

_NEWEST = f"""
SELECT {FEW_NAMED} FROM audit WHERE project = here() AND (%(before)s::bigint IS NULL OR (at, number) < (
  SELECT at, number FROM audit WHERE project = here() AND number = %(before)s))
AND (%(memory)s::uuid IS NULL OR {" OR ".join(f"%(memory)s = ANY({change})" for change in CHANGES)})
ORDER BY at DESC, number DESC LIMIT %(limit)s
"""  # noqa: S608 - our own constants
_ALL = 2**31 - 1
"""More memories than an entry names."""


@define(eq=False)
class PostgresAuditTrail(InTransactions, AuditTrail):
    """Changes of the memories of one project."""

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        most = _ALL if names is None else names
        with self.scope.reading() as turn:
            rows = turn.rows(_NEWEST, before=before, limit=limit, memory=memory, names=most, last=True)
        return tuple(map(entry, rows))
