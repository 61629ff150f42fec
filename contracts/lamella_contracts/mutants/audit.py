"""Faults in the audit trail."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.entry import AuditEntry, Signature
from lamella.domain.transactions.other_writes import NameInEntry
from lamella.domain.transactions.plan import Write
from lamella.domain.transactions.status import StatusChange
from lamella.ports.storage.audit import Names
from lamella_adapters.memory.audit import InMemoryAuditTrail
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import losing, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("named memories are counted twice")
class CountsAgain(InMemoryTransaction):
    def _write(self, write: Write) -> None:
        before = {id: entry.count for id, entry in self.data.audit.items()}
        super()._write(write)
        if isinstance(write, NameInEntry):
            named = len((*write.added, *write.purged, *write.restored))
            self.data.audit[write.entry] = evolve(self.data.audit[write.entry], count=before[write.entry] + named)


@MUTANTS.add("ids of erased memories stay")
class KeepsErased(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        before = {project: dict(each.audit) for project, each in self.storage.data_of.items()}
        done = super().erase(ids, by=by)
        for project, each in before.items():
            self.storage.data_of[project].audit.update(each)
        return done


@MUTANTS.add("pages overlap")
class PagesOverlap(InMemoryAuditTrail):
    def entries(self, *, before: int | None = None, limit: int, **chosen: Any) -> tuple[AuditEntry, ...]:
        after = super().entries(before=before, limit=limit, **chosen)
        known = [each for each in super().entries(limit=100) if each.number == before]
        return (*known, *after)[:limit]


@MUTANTS.add("purged and restored memories of an entry share a limit")
class LimitsTogether(InMemoryAuditTrail):
    def entries(self, *, names: Names = None, **chosen: Any) -> tuple[AuditEntry, ...]:
        found = super().entries(names=names, **chosen)
        return tuple(evolve(each, restored=() if names and each.purged else each.restored) for each in found)


@MUTANTS.add("all ids are read if some are chosen")
class AllNames(InMemoryAuditTrail):
    def entries(self, *, names: Names = None, **chosen: Any) -> tuple[AuditEntry, ...]:
        return super().entries(names=names if isinstance(names, int) else None, **chosen)


@MUTANTS.add("entries are numbered by arrival")
class NumbersOfArrival(InMemoryAuditTrail):
    def add(self, entries: Sequence[AuditEntry]) -> None:
        data = self.observations.data
        numbers = {id: entry.number for id, entry in data.audit.items()}
        super().add(entries)
        for id, entry in data.audit.items():
            if id in numbers:
                data.audit[id] = evolve(entry, number=numbers[id])


MUTANTS.add("the audit trail is kept in memory only")(losing("audit"))


@MUTANTS.add("projects share one audit trail")
@define(eq=False)
class OneTrail(InMemoryRegistry):
    def home(self, project: str) -> tuple[str, ProjectData]:
        id, data = super().home(project)
        data.audit = next(iter(self.data_of.values())).audit
        return id, data
