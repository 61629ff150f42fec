"""Faults between threads."""

from collections.abc import Collection, Mapping, Sequence
from threading import Event, RLock, Thread, current_thread
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import storage_mutants
from lamella_contracts.mutants.threads import HANG_SECONDS, racing

MUTANTS = storage_mutants()


class Unlocked:
    """A lock without exclusion."""

    def __enter__(self) -> None:
        """Lets everyone in."""

    def __exit__(self, *_: object) -> None:
        """Lets everyone out."""


@MUTANTS.add("transactions take no lock", "transactions_of_threads_come_one_after_another")
class Racing(InMemoryObservations):
    """Looks first and writes later, without a lock."""

    @property
    def lock(self) -> Any:
        return Unlocked()


class Halfway(InMemoryRegistry):
    """Knows the first purge by a thread, and a reader in the middle of it."""

    def __init__(self) -> None:
        super().__init__()
        self.guard = RLock()
        self.purged: UUID | None = None
        self.reader: Thread | None = None
        self.found, self.blanked, self.read = Event(), Event(), Event()

    def is_first(self, id: UUID) -> bool:
        """Return whether this is the first purge by a thread."""
        with self.guard:
            first = racing() and self.purged is None
            self.purged = id if first else self.purged
            return first


class ShowsHalfAPurge(InMemoryObservations):
    """Blanks a memory in one step and marks it in the next."""

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        halfway = self.storage
        assert isinstance(halfway, Halfway)
        if ids and halfway.is_first(ids[0]):
            assert halfway.found.wait(HANG_SECONDS)
            row = self.rows[ids[0]]
            whole, row.observation = row.observation, evolve(row.observation, content="half")
            halfway.blanked.set()
            assert halfway.read.wait(HANG_SECONDS)
            row.observation = whole
        return super().purge(ids, by=by)

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        halfway = self.storage
        assert isinstance(halfway, Halfway)
        if halfway.purged not in ids or current_thread() is not halfway.reader:
            return super().get_all(ids)
        assert halfway.blanked.wait(HANG_SECONDS)
        found = super().get_all(ids)
        halfway.read.set()
        return found


class FindsTheWhole(InMemorySearch):
    """Finds a memory before its purge begins; the same reader gets it in the middle of the purge."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        hits, halfway = super().find(query), self.observations.storage
        assert isinstance(halfway, Halfway)
        with halfway.guard:
            found = halfway.purged in {hit.observation.id for hit in hits}
            if racing() and found and halfway.reader is None:
                halfway.reader = current_thread()
                halfway.found.set()
        return hits


MUTANTS.add("a reader sees half of a purge", "reads_during_writes_see_whole_memories")(
    ShowsHalfAPurge, FindsTheWhole, Halfway
)
