"""Faults between threads."""

import time
from collections.abc import Sequence
from datetime import datetime
from threading import RLock
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.project import Location, Project
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.memory.observations import InMemoryObservations, Row, Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from tests.mutants.breeding import Mutant

MOMENT = 0.0005
"""Seconds that make a race between threads likely."""

_WRITING = RLock()


class Unlocked:
    """A lock that everyone holds at once."""

    def __enter__(self) -> None:
        """Lets everyone in."""

    def __exit__(self, *_: object) -> None:
        """Lets everyone out."""


class DawdlingShelf(Shelf):
    """Leaves time for others between reading a sequence number and writing it."""

    def place(self, row: Row, project: str) -> Observation:
        before = self.last_sequence
        time.sleep(MOMENT)
        self.last_sequence = before
        return super().place(row, project)


class Dawdling(InMemoryRegistry):
    """Gives every project such a shelf."""

    def at(self, location: Location, *, now: datetime) -> Project:
        project = super().at(location, now=now)
        if not isinstance(self.shelves[project.id], DawdlingShelf):
            self.shelves[project.id] = DawdlingShelf()
        return project


class Racing(InMemoryObservations):
    """Checks first and writes later, without a lock."""

    @property
    def lock(self) -> Any:
        return Unlocked()

    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        asked = [id in self.rows and self.rows[id].observation.purged == (purged_at is None) for id in ids]
        time.sleep(MOMENT)
        done = super()._mark(ids, purged_at=purged_at, now=now)
        return (StatusChange.DONE,) if asked == [True] else done


class ShowsHalfAPurge(InMemoryObservations):
    """Blanks a memory in one step and marks it in the next; only writers wait for one another."""

    def _mark(self, ids: Sequence[UUID], *, purged_at: datetime | None, now: datetime) -> tuple[StatusChange, ...]:
        with _WRITING:
            for row in [self.rows[id] for id in ids if id in self.rows]:
                whole = row.observation
                row.observation = evolve(whole, content="half")
                time.sleep(MOMENT)
                row.observation = whole
            return super()._mark(ids, purged_at=purged_at, now=now)


MUTANTS = (
    Mutant(
        fault="nothing is locked",
        observations=Racing,
        registry=Dawdling,
        trips={"threads_that_add_lose_nothing", "racing_duplicates_become_one", "racing_purges_are_done_once"},
        chance={"reads_during_writes_see_whole_memories"},
    ),
    Mutant(
        fault="a reader sees half of a purge",
        observations=ShowsHalfAPurge,
        trips={"reads_during_writes_see_whole_memories"},
    ),
)
