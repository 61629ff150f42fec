"""Faults in the registry: locations, names, merges, splits, and projects of several machines or tenants."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.plan import Plan
from lamella.domain.transactions.registry import KeepOff, LeadTo, RegistryWrite
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData, Row
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, Meeting, declaring, storage_mutants

MUTANTS = storage_mutants()
SHARED = declaring(frozenset(Capability) - {Capability.DURABLE})


def without(kind: type) -> type[InMemoryRegistry]:
    """Return a registry class that leaves out writes of one kind."""

    class Without(InMemoryRegistry):
        def _write(self, write: RegistryWrite) -> None:
            if not isinstance(write, kind):
                super()._write(write)

    return Without


MUTANTS.add("switching off is not stored")(without(KeepOff))
MUTANTS.add("aliases are not stored")(without(LeadTo))


class Finding(InMemoryRegistry):
    """Registry whose subclasses override `found`, to find wrong projects. Targets of their merges are added."""

    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        """Return the found projects."""
        asked = (
            (each.id in look.ids or {*each.aliases} & {*look.aliases} or each.name in look.names, each)
            for each in known.projects.values()
        )
        return [each for wanted, each in asked if wanted or look.every]

    def look(self, look: ProjectLook) -> Catalogue:
        known = super().look(look)
        found = self.found(look, known)
        ids = {id for each in found for id in (each.id, known.successors[each.id])}
        return Catalogue({id: each for id, each in known.projects.items() if id in ids}, known.successors)


@MUTANTS.add("an ambiguous name selects the first project")
class TakesTheFirst(Finding):
    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        return super().found(look, known)[: None if look.every or not look.names else 1]


@MUTANTS.add("names of merged projects are unknown")
class LiveNamesOnly(Finding):
    def found(self, look: ProjectLook, known: Catalogue) -> list[Project]:
        merged = {each.id for each in known.projects.values() if each.moved_to and each.name in look.names}
        return [each for each in super().found(look, known) if each.id not in merged]


@MUTANTS.add("concurrent registration makes several projects")
class MakesTwice(InMemoryRegistry):
    """Registry that checks for a project and creates it in separate transactions."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        known = self.living_at(location)
        thread = self.meeting.wait()
        if known is not None:
            return known
        made = location if thread == 0 else evolve(location, key=f"{location.key} {thread}")
        return super().at(made, now=now)


@MUTANTS.add("projects are sorted without regard to case")
class ListsByLocale(InMemoryRegistry):
    """Registry that sorts names ignoring case."""

    def all(self) -> tuple[Project, ...]:
        return tuple(sorted(super().all(), key=lambda each: (each.name.lower(), each.id)))


@MUTANTS.add("a merge sorts by time instead of sequence")
class MergesInOrderOfTime(InMemoryRegistry):
    """Registry that moves rows in chronological order instead of by sequence."""

    def _move(self, data: Any, target: str, rows: list[Row]) -> int:
        return super()._move(data, target, sorted(rows, key=lambda row: row.observation.created_at))


@MUTANTS.add("merged memories are not indexed")
class MergedAreUnindexed(InMemorySearch):
    """Search that doesn't index merged memories."""

    def _ranked(self, words: Any, candidates: Any, filters: Any) -> Any:
        return super()._ranked(words, [each for each in candidates if each.origin == each.project], filters)


@MUTANTS.add("open scopes don't follow a merge")
class ScopesStay(InMemoryObservations):
    """Observations that still use the old project after a merge."""

    def __init__(self, project: str, storage: InMemoryRegistry, **more: Any) -> None:
        super().__init__(project, storage, **more)
        self.first = storage.home(project)[1]

    @property
    def data(self) -> ProjectData:
        return self.first


@MUTANTS.add("a split takes memories of other origins along")
class TakesAlong(InMemoryRegistry):
    def _transfer(
        self, data: ProjectData, to: str, leaves: Callable[[str], bool], rest: Collection[str] = ()
    ) -> int:
        return super()._transfer(data, to, lambda origin: origin not in self.projects or leaves(origin), rest)


@MUTANTS.add("a split takes an entry out of the trail of another project")
class TakesEntries(InMemoryRegistry):
    def _transfer(
        self, data: ProjectData, to: str, leaves: Callable[[str], bool], rest: Collection[str] = ()
    ) -> int:
        del rest
        return super()._transfer(data, to, leaves)


class ClonesMakeTwice(InMemoryRegistry):
    """Registry that creates a project for each of several clones registered simultaneously."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        thread = self.meeting.wait()
        made = location if thread == 0 else evolve(location, repository=f"{location.repository} {thread}")
        return super().at(made, now=now)


MUTANTS.add("concurrent clones make several projects")(SHARED, ClonesMakeTwice)


@MUTANTS.add("tenants share one database")
class OneTenant(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        del tenant
        return self


@MUTANTS.add("quotas are not obeyed")
class Unbounded(InMemoryRegistry):
    def admit(self, plan: Plan) -> None:
        """Accept any plan, for lack of a quota."""
