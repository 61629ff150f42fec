"""Faults in projects that several machines share."""

from datetime import datetime

from attrs import evolve

from lamella.domain.projects.identity import is_repository
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue
from lamella.domain.transactions.registry import KeepOff, MakeProject, RegistryWrite
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, declaring
from lamella_contracts.mutants.threads import Meeting

SHARED = declaring(frozenset(Capability) - {Capability.DURABLE})


class GoesByKeyAlone(InMemoryRegistry):
    """Knows no repository by its alias."""

    @property
    def catalogue(self) -> Catalogue:
        every = super().catalogue.projects.values()
        places = [
            evolve(each, aliases=tuple(key for key in each.aliases if not is_repository(key))) for each in every
        ]
        return Catalogue.of(places)


class LearnsNothing(InMemoryRegistry):
    """Gives aliases to new projects alone."""

    def _write(self, write: RegistryWrite) -> None:
        if isinstance(write, MakeProject):
            self.projects.setdefault(write.project.id, write.project)
            self.shelves.setdefault(write.project.id, Shelf())
        elif isinstance(write, KeepOff):
            super()._write(write)


class ClonesMakeTwice(InMemoryRegistry):
    """Takes each machine that comes at once for the first."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        thread = self.meeting.wait()
        made = location if thread == 0 else evolve(location, repository=f"{location.repository} {thread}")
        return super().at(made, now=now)


MUTANTS = (
    Mutant(fault="a shared storage keeps its promises", storage=SHARED, trips=()),
    Mutant(
        fault="clones are not looked up by their repository",
        storage=SHARED,
        registry=GoesByKeyAlone,
        trips={
            "clones_are_one_project",
            "a_remote_that_comes_later_is_an_alias",
        },
    ),
    Mutant(
        fault="a remote that comes later is not learnt",
        storage=SHARED,
        registry=LearnsNothing,
        trips={"a_remote_that_comes_later_is_an_alias"},
    ),
    Mutant(
        fault="clones that meet make several projects",
        storage=SHARED,
        registry=ClonesMakeTwice,
        trips={"clones_that_meet_make_one_project"},
    ),
)
