"""Faults in which vectors are kept, and in what is taken for embedded."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Observation
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.vectors import Coverage, NewVector, VectorIndex
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row, Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
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
    trips={
        "the_latest_saved_is_pending_first",
        "another_model_drops_the_vectors",
        "another_dimension_is_refused",
        "purged_ones_are_neither_pending_nor_covered",
    },
)
class OldestFirst(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return super().pending(limit=10_000)[::-1][:limit]


@MUTANTS.add("the latest moment is pending first", trips={"the_latest_saved_is_pending_first"})
class PendingByMoment(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        left = super().pending(limit=10_000)
        return tuple(sorted(left, key=lambda each: each.created_at, reverse=True)[:limit])


@MUTANTS.add("all are pending at once", trips={"the_latest_saved_is_pending_first"})
class AllAtOnce(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return super().pending(limit=limit * 10_000)


@MUTANTS.add(
    "what has nothing to embed stays pending", trips={"what_was_put_is_not_pending", "a_vector_is_replaced"}
)
class ForgetsNothings(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put([each for each in vectors if each.vector is not None])


@MUTANTS.add("the first vector stays", trips={"a_vector_is_replaced", "a_vector_outlives_a_purge"})
class KeepsTheFirst(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        kept = self._kept()
        super().put([each for each in vectors if kept.get(each.id) is None])


@MUTANTS.add("nothing does not replace a vector", trips={"a_vector_is_replaced"})
class NothingReplacesNothing(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        kept = self._kept()
        super().put([evolve(each, vector=each.vector or kept.get(each.id)) for each in vectors])


@MUTANTS.add("unknown ids are an error", trips={"unknown_ids_are_passed_over", "vectors_stay_in_their_project"})
class WantsKnownIds(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        present = self.observations.get_all([each.id for each in vectors])
        for each in vectors:
            if each.id not in present:
                raise ObservationNotFoundError(id=str(each.id))
        super().put(vectors)


@MUTANTS.add("unknown ids are kept", trips={"unknown_ids_are_passed_over", "vectors_stay_in_their_project"})
class KeepsUnknownIds(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put(vectors)
        rows = self.observations.rows
        self._kept().update({each.id: each.vector for each in vectors if each.id not in rows})


@MUTANTS.add("a vector of an old text is kept", trips={"what_changed_meanwhile_is_passed_over"})
class BelievesIds(InMemoryVectors):
    """Keeps a vector, whatever has become of the text that it is of."""

    def put(self, vectors: Vectors) -> None:
        rows = self.observations.rows
        present = ((rows[each.id].observation, each.vector) for each in vectors if each.id in rows)
        super().put([NewVector.of(*each) for each in present])


@MUTANTS.add("what changed meanwhile is taken for embedded", trips={"what_changed_meanwhile_is_passed_over"})
class PassesOverForGood(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put(vectors)
        for each in vectors:
            if each.id in self.observations.rows:
                self._kept().setdefault(each.id, None)


class LeavesVectors(InMemoryLedger):
    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        kept = dict(self.observations.shelf.vectors)
        recorded = super().record(captures)
        self.observations.shelf.vectors.update(kept)
        return recorded


@MUTANTS.add("what is amended keeps its vector", trips={"what_is_amended_is_pending_again"})
class AmendsTextsOnly(BrokenStorage):
    def ledger(self, project: str) -> CodeLedger:
        return LeavesVectors(self._scope(project))


@MUTANTS.add("purged ones are pending", trips={"purged_ones_are_neither_pending_nor_covered"})
class EmbedsPurged(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        kept = self._kept()
        left = [each for each in self._observations() if each.id not in kept]
        return tuple(sorted(left, key=lambda each: -each.sequence)[:limit])


@MUTANTS.add("purged ones are counted", trips={"purged_ones_are_neither_pending_nor_covered"})
class CountsPurged(InMemoryVectors):
    def coverage(self) -> Coverage:
        return Coverage(embedded=len(self._kept()), total=len(self._observations()))


@MUTANTS.add(
    "a purge drops the vector",
    trips={
        "a_vector_outlives_a_purge",
        "purged_ones_follow_all_live_ones",
        "purged_ones_are_neither_pending_nor_covered",
        "similarities_are_of_those_that_were_asked_for",
    },
)
class DropsWhenPurging(InMemoryObservations):
    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        for id in ids:
            self.shelf.vectors.pop(id, None)
        return super().purge(ids, by=by)


@MUTANTS.add("a purged one is refused its vector", trips={"a_vector_outlives_a_purge"})
class RefusesPurged(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        purged = {each.id for each in self._observations() if each.purged}
        super().put([each for each in vectors if each.id not in purged])


@MUTANTS.add("an erase leaves the vector", trips={"an_erase_takes_the_vector"})
class ErasesRowsOnly(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        kept = dict(self.shelf.vectors)
        done = super().erase(ids, by=by)
        self.shelf.vectors.update(kept)
        return done


@MUTANTS.add("vectors go along with a merge", trips={"what_moves_is_pending_again"})
class CarriesVectors(InMemoryRegistry):
    def _move(self, shelf: Shelf, target: str, rows: list[Row]) -> int:
        carried = {id: vector for id, vector in shelf.vectors.items() if id in {r.observation.id for r in rows}}
        moved = super()._move(shelf, target, rows)
        self.shelves[target].vectors.update(carried)
        return moved


@MUTANTS.add("a restart loses vectors", trips={"vectors_survive_a_restart"})
class LosesVectors(DurableStorage):
    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.vectors = {}


@MUTANTS.add("a restart loses the model", trips={"vectors_survive_a_restart"})
class LosesModels(DurableStorage):
    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.model = None


@MUTANTS.add("a restart loses what had nothing to embed", trips={"vectors_survive_a_restart"})
class LosesNothings(DurableStorage):
    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.vectors = {id: vector for id, vector in shelf.vectors.items() if vector is not None}


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
