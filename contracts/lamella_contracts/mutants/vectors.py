"""Faults in vectors: their storage, their model, and the choice and scores of the nearest vectors."""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from attrs import define, evolve

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.filtering import passes
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match, RecallQuery
from lamella.ports.storage.vectors import NewVector, VectorIndex
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import BrokenStorage, Meeting, Parts, losing, storage_mutants
from lamella_contracts.mutants.search.finding import shortened

MUTANTS = storage_mutants()


ALL = 10_000
Vectors = Sequence[NewVector]


def finding(change: Callable[[Sequence[Hit]], Sequence[Hit]]) -> type[InMemoryVectors]:
    """Return an index class whose hits are changed by `change` before the limit is applied."""

    class Finding(InMemoryVectors):
        def hits(self, vector: Vector, query: RecallQuery) -> tuple[Hit, ...]:
            return tuple(change(super().hits(vector, evolve(query, limit=ALL))))[: query.limit]

    return Finding


def ordering(key: Callable[[float, int], tuple[float, int]]) -> type[InMemoryVectors]:
    """Return an index class that sorts hits in a wrong order, by the score and the sequence."""
    return finding(
        lambda hits: sorted(
            hits, key=lambda hit: (hit.observation.purged, *key(hit.score or 0, hit.observation.sequence))
        )
    )


def _single(score: Any) -> float:
    (rounded,) = struct.unpack("f", struct.pack("f", score))
    return float(rounded)


MUTANTS.add("short ids of the nearest always have eight digits")(finding(shortened))
MUTANTS.add("the farthest come first")(ordering(lambda score, sequence: (score, -sequence)))
MUTANTS.add("ties are broken by the older memory")(ordering(lambda score, sequence: (-score, sequence)))
MUTANTS.add("scores have single precision")(
    finding(lambda hits: [evolve(hit, score=_single(hit.score)) for hit in hits])
)


@MUTANTS.add("memories without a vector are found")
class ShowsThoseWithout(InMemoryVectors):
    def hits(self, vector: Vector, query: RecallQuery) -> tuple[Hit, ...]:
        found = super().hits(vector, query)
        without = [
            Hit(observation=each, short_id=each.id.hex[:8], match=Match.MEANING, score=0.0)
            for each in self._observations()
            if self._kept().get(each.id) is None and passes(each, query.filters)
        ]
        return (*found, *without)[: query.limit]


@MUTANTS.add("similarities of other memories are returned")
class LikensAll(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return super().similarities(vector, [*ids, *self._kept()])


@MUTANTS.add("vectors of purged memories are missing")
class HidesPurged(InMemoryVectors):
    def vectors(self, ids: Collection[UUID]) -> Mapping[UUID, Vector]:
        live = {each.id for each in self._observations() if not each.purged}
        return super().vectors([id for id in ids if id in live])


@MUTANTS.add("adopting the same model drops its vectors")
class AlwaysDrops(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.data.model = None
        super().adopt()


@MUTANTS.add("models are compared by name only")
class ComparesNames(InMemoryVectors):
    """Index that treats models of the same name as equal, even if their dimensions differ."""

    def _kept(self) -> dict[UUID, Vector | None]:
        kept = self.observations.data.model
        if kept is not None and kept.name == self.model.name:
            return self.observations.data.vectors
        return super()._kept()


@MUTANTS.add("the first of several vectors of one id wins")
class KeepsTheFirst(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put(list({each.id: each for each in reversed(vectors)}.values()))


@MUTANTS.add("vectors are cut or padded to the dimension of the model")
class CutsOrFills(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put([evolve(each, vector=each.vector and self.fitted(each.vector)) for each in vectors])

    def fitted(self, vector: Vector) -> Vector:
        dimension = self.model.dimension
        return Vector((vector.components + bytes(dimension))[:dimension])


@MUTANTS.add("the oldest memories are pending first")
class OldestFirst(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return super().pending(limit=10_000)[::-1][:limit]


@MUTANTS.add("memories of all kinds are pending alike")
class MixesKinds(InMemoryVectors):
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        return tuple(sorted(super().pending(limit=10_000), key=lambda each: -each.sequence))[:limit]


MUTANTS.add("vectors are kept in memory only")(losing("vectors"))


@MUTANTS.add("put overwrites concurrent vectors")
class MeetsBeforeWriting(BrokenStorage):
    def __init__(self, parts: Parts, folder: Path) -> None:
        super().__init__(parts, folder)
        self.meeting = Meeting()

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        return WritesAllBack(self._scope(project), model, self.meeting)


@define(eq=False)
class WritesAllBack(InMemoryVectors):
    """Index that reads all vectors, waits until every thread has read them, and writes all of them back."""

    meeting: Meeting

    def put(self, vectors: Vectors) -> None:
        with self.observations.lock:
            before = dict(self._kept())
        self.meeting.wait()
        with self.observations.lock:
            self.observations.data.vectors = before
            super().put(vectors)
