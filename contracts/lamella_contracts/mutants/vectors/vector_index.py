"""Faults in storing vectors, and in the list of embedded memories."""

from pathlib import Path

from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.memories.observation import Observation
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, Parts, storage_mutants
from lamella_contracts.mutants.threads import Meeting
from lamella_contracts.mutants.vectors.models import Vectors

MUTANTS = storage_mutants()


@MUTANTS.add(
    "the oldest memories are pending first",
    "another_model_drops_the_vectors",
    "notes_are_pending_first",
    "the_latest_saved_is_pending_first",
)
class OldestFirst(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return super().pending(limit=10_000)[::-1][:limit]


@MUTANTS.add("memories of all kinds are pending alike", "notes_are_pending_first")
class MixesKinds(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return tuple(sorted(super().pending(limit=10_000), key=lambda each: -each.sequence))[:limit]


@MUTANTS.add("vectors are kept in memory only", "vectors_survive_a_restart")
class LosesVectors(DurableStorage):
    def restarted(self) -> None:
        for data in self.registry.data_of.values():
            data.vectors = {}


@MUTANTS.add("put overwrites concurrent vectors", "threads_that_put_lose_nothing")
class MeetsBeforeWriting(BrokenStorage):
    def __init__(self, parts: Parts, folder: Path) -> None:
        super().__init__(parts, folder)
        self.meeting = Meeting()

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        return WritesAllBack(self._scope(project), model, self.meeting)


@define(eq=False)
class WritesAllBack(InMemoryVectors):
    """Reads all vectors, and writes all of them after every thread has read them."""

    meeting: Meeting

    def put(self, vectors: Vectors) -> None:
        with self.observations.lock:
            before = dict(self._kept())
        self.meeting.wait()
        with self.observations.lock:
            self.observations.data.vectors = before
            super().put(vectors)
