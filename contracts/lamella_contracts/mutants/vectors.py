"""Faults in vectors: their storage, their model, and the choice and scores of the nearest ones."""

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
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, Meeting, Parts, storage_mutants
from lamella_contracts.mutants.search.finding import shortened

MUTANTS = storage_mutants()


ALL = 10_000
Vectors = Sequence[NewVector]


class Finding(InMemoryVectors):
    """Changes the correct hits of a search."""

    def hits(self, vector: Vector, query: RecallQuery) -> tuple[Hit, ...]:
        return self.made_of(super().hits(vector, evolve(query, limit=ALL)), query.limit)

    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        """Return the answer, made from all correct hits before the limit is applied."""
        return tuple(hits[:limit])


def rescored(hits: Sequence[Hit], score: Callable[[Any], float]) -> tuple[Hit, ...]:
    """Return the hits with scores changed by `score`."""
    return tuple(evolve(hit, score=score(hit.score)) for hit in hits)


@MUTANTS.add("short ids of the nearest always have eight digits")
class ShortensToEight(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return shortened(hits[:limit])


@MUTANTS.add("the farthest come first")
class FarthestFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        live = sorted(hits, key=lambda hit: (hit.observation.purged, hit.score, -hit.observation.sequence))
        return tuple(live[:limit])


@MUTANTS.add("ties are broken by the older memory")
class OlderFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        older = sorted(hits, key=lambda hit: (hit.observation.purged, -(hit.score or 0), hit.observation.sequence))
        return tuple(older[:limit])


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


@MUTANTS.add("scores have single precision")
class SinglePrecision(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: struct.unpack("f", struct.pack("f", score))[0])


@MUTANTS.add("adopting the same model drops its vectors")
class AlwaysDrops(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.data.model = None
        super().adopt()


@MUTANTS.add("models are compared by name only")
class ComparesNames(InMemoryVectors):
    """Treats models of the same name as the same, even if their dimensions differ."""

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


@MUTANTS.add("vectors are kept in memory only")
class LosesVectors(DurableStorage):
    def restarted(self) -> None:
        for data in self.registry.data_of.values():
            data.vectors = {}


@MUTANTS.add("put overwrites concurrent vectors")
class MeetsBeforeWriting(BrokenStorage):
    def __init__(self, parts: Parts, folder: Path) -> None:
        super().__init__(parts, folder)
        self.meeting = Meeting()

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        return WritesAllBack(self._scope(project), model, self.meeting)


@define(eq=False)
class WritesAllBack(InMemoryVectors):
    """Reads all vectors, waits until every thread has read them, and writes them all back."""

    meeting: Meeting

    def put(self, vectors: Vectors) -> None:
        with self.observations.lock:
            before = dict(self._kept())
        self.meeting.wait()
        with self.observations.lock:
            self.observations.data.vectors = before
            super().put(vectors)
