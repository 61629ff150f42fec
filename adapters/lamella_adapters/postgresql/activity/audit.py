"""Audit trail of one project."""

from collections.abc import Sequence
from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.postgresql.activity.entries import CHANGES, FEW_NAMED, entry, take_over
from lamella_adapters.postgresql.database.scope import Scope

_NEWEST = f"""
SELECT {FEW_NAMED} FROM audit WHERE project = here() AND (%(before)s::bigint IS NULL OR (at, number) < (
  SELECT at, number FROM audit WHERE project = here() AND number = %(before)s))
AND (%(memory)s::uuid IS NULL OR {" OR ".join(f"%(memory)s = ANY({change})" for change in CHANGES)})
ORDER BY at DESC, number DESC LIMIT %(limit)s
"""  # noqa: S608 - our own constants
_ALL = 2**31 - 1
"""More memories than an entry names."""


@define(eq=False)
class PostgresAuditTrail(AuditTrail):
    """Changes of the memories of one project."""

    scope: Scope

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        most = _ALL if names is None else names
        with self.scope.reading() as turn:
            rows = turn.rows(_NEWEST, before=before, limit=limit, memory=memory, names=most, last=True)
        return tuple(map(entry, rows))

    def add(self, entries: Sequence[Entry]) -> None:
        """See `AuditTrail.add`."""
        with self.scope.writing() as turn:
            take_over(turn, entries)
