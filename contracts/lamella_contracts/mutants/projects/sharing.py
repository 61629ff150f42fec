"""Faults in projects that several machines share."""

from datetime import datetime

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import declaring, storage_mutants
from lamella_contracts.mutants.threads import Meeting

MUTANTS = storage_mutants()

SHARED = declaring(frozenset(Capability) - {Capability.DURABLE})


class ClonesMakeTwice(InMemoryRegistry):
    """Takes each machine that comes at once for the first."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        thread = self.meeting.wait()
        made = location if thread == 0 else evolve(location, repository=f"{location.repository} {thread}")
        return super().at(made, now=now)


MUTANTS.add("concurrent clones make several projects", "clones_that_meet_make_one_project")(
    SHARED, ClonesMakeTwice
)
