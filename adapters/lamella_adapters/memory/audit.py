"""Audit trail of one project, in a dictionary."""

from typing import Any
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.entry import AuditEntry
from lamella.ports.storage.audit import AuditTrail, Names
from lamella_adapters.memory.observations import Beside
from lamella_adapters.memory.project_data import CHANGES


@define(eq=False)
class InMemoryAuditTrail(Beside, AuditTrail):
    """Audit trail of one project."""

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: Names = None
    ) -> tuple[AuditEntry, ...]:
        """See `AuditTrail.entries`."""
        with self.observations.lock:
            found = self.observations.data.entries()
        if before is not None:
            numbers = [each.number for each in found]
            found = found[numbers.index(before) + 1 :] if before in numbers else []
        about = [each for each in found if memory is None or memory in each.memories]
        return tuple(_naming(each, names) for each in about[:limit])


def _naming(entry: AuditEntry, names: Names) -> AuditEntry:
    most = names if isinstance(names, int) else None
    among = entry.memories if names is None or isinstance(names, int) else names
    fewer: dict[str, Any] = {
        change: tuple(id for id in getattr(entry, change) if id in among)[:most] for change in CHANGES
    }
    return evolve(entry, **fewer)
