"""Faults in which vectors are kept, and in what is taken for embedded."""

from pathlib import Path

from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.domain.memories.observation import Observation
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.contracts import VectorIndexContract
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, Mutant, Mutants, without
from lamella_contracts.mutants.embeddings.models import Vectors
from lamella_contracts.mutants.fault import naming_clauses
from lamella_contracts.mutants.threads import Meeting

MUTANTS = Mutants()

AGREEMENT = "nearness_agrees_with_the_model"


@MUTANTS.add(
    "the oldest is pending first",
    trips={"another_dimension_is_refused", "another_model_drops_the_vectors", "the_latest_saved_is_pending_first"},
)
class OldestFirst(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return super().pending(limit=10_000)[::-1][:limit]


@MUTANTS.add("a restart loses vectors", trips={"vectors_survive_a_restart"})
class LosesVectors(DurableStorage):
    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.vectors = {}


@MUTANTS.add("all vectors are written back", trips={"threads_that_put_lose_nothing"})
class MeetsBeforeWriting(BrokenStorage):
    def __init__(self, mutant: Mutant, folder: Path) -> None:
        super().__init__(mutant, folder)
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
            self.observations.shelf.vectors = before
            super().put(vectors)


class Refuses(BrokenStorage):
    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        del project, model
        raise CapabilityUnsupportedError(capability=Capability.VECTORS)


MUTANTS += (
    Mutant(fault="vectors are durable", storage=DurableStorage, trips=()),
    Mutant(
        fault="vectors are not declared",
        refuses=True,
        storage=without(Capability.VECTORS),
        trips=naming_clauses(VectorIndexContract),
    ),
    Mutant(fault="vectors are refused", storage=without(Capability.VECTORS, Refuses), trips=()),
)
