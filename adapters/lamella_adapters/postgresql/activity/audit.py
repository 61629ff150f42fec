"""Audit trail of one project."""

from collections.abc import Sequence

from attrs import define

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.postgresql.activity.entries import COLUMNS, entry, take_over
from lamella_adapters.postgresql.database.scope import Scope

_NEWEST = f"""
SELECT {COLUMNS} FROM audit WHERE project = here() AND (%(before)s::bigint IS NULL OR (at, number) < (
  SELECT at, number FROM audit WHERE project = here() AND number = %(before)s))
ORDER BY at DESC, number DESC LIMIT %(limit)s
"""  # noqa: S608 - our own constants


@define(eq=False)
class PostgresAuditTrail(AuditTrail):
    """Changes of the memories of one project."""

    scope: Scope

    def entries(self, *, before: int | None = None, limit: int) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        with self.scope.reading() as turn:
            return tuple(map(entry, turn.rows(_NEWEST, before=before, limit=limit, last=True)))

    def add(self, entries: Sequence[Entry]) -> None:
        """See `AuditTrail.add`."""
        with self.scope.writing() as turn:
            take_over(turn, entries)
