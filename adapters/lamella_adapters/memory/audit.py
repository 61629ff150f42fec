"""The audit trail of one project, in a dictionary."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.entry import Entry
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import CHANGES, Shelf


@define(eq=False)
class InMemoryAuditTrail(AuditTrail):
    """Changes of the memories of one project."""

    observations: InMemoryObservations

    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[Entry, ...]:
        """See `AuditTrail.entries`."""
        with self.observations.lock:
            found = self.observations.shelf.entries()
        if before is not None:
            numbers = [each.number for each in found]
            found = found[numbers.index(before) + 1 :] if before in numbers else []
        about = [each for each in found if memory is None or memory in each.memories]
        return tuple(_naming(each, names) for each in about[:limit])

    def add(self, entries: Sequence[Entry]) -> None:
        """See `AuditTrail.add`."""
        with self.observations.lock:
            for each in entries:
                self._add(each)
            self.observations.shelf.number_by_time()

    def _add(self, entry: Entry) -> None:
        project, shelf = self.observations.storage.home(self.observations.project)
        if is_new := entry.id not in shelf.audit:
            shelf.append(project, evolve(entry, added=(), purged=(), restored=()))
        origin, known = shelf.audit[entry.id]
        named: dict[str, Any] = {
            change: tuple(dict.fromkeys((*getattr(known, change), *_kept(getattr(entry, change), shelf))))
            for change in CHANGES
        }
        now = evolve(known, **named)
        more = len(now.memories) - len(known.memories)
        count = max(known.count, more) if is_new else known.count + more
        shelf.audit[entry.id] = (origin, evolve(now, count=count))


def _naming(entry: Entry, most: int | None) -> Entry:
    fewer: dict[str, Any] = {change: getattr(entry, change)[:most] for change in CHANGES}
    return evolve(entry, **fewer)


def _kept(ids: Sequence[UUID], shelf: Shelf) -> list[UUID]:
    return [id for id in ids if id in shelf.rows]
