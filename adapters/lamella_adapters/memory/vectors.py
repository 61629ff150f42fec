"""Vectors of one project's observations, in a dictionary. A search compares all of them."""

from collections.abc import Collection, Mapping
from uuid import UUID

from attrs import define, evolve

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.filtering import passes
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match, RecallQuery
from lamella.domain.transactions.embedding import require_adopted
from lamella.ports.storage.vectors import Coverage, Nearest, VectorIndex
from lamella_adapters.memory.observations import Beside


@define(eq=False)
class InMemoryVectors(Beside, VectorIndex):
    """Vectors that `model` has computed for one project."""

    model: EmbeddingModel

    def nearest(self, vector: Vector, query: RecallQuery, *, compared: Collection[UUID] = ()) -> Nearest:
        """See `VectorIndex.nearest`."""
        self.model.require(vector)
        with self.observations.lock:
            return Nearest(hits=self.hits(vector, query), similarities=self.similarities(vector, compared))

    def hits(self, vector: Vector, query: RecallQuery) -> tuple[Hit, ...]:
        """Return the nearest observations, best first."""
        kept = self._kept()
        near = [
            (each, vector.cosine(other))
            for each in self._observations()
            if passes(each, query.filters)
            and (query.include_purged or not each.purged)
            and (other := kept.get(each.id)) is not None
        ]
        best = sorted(near, key=_rank)[: query.limit]
        hits = self.observations.hits([each for each, _ in best], Match.MEANING)
        return tuple(evolve(hit, score=score) for hit, (_, score) in zip(hits, best, strict=True))

    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        """Return the cosines of `vector` and the vectors of observations, keyed by observation id."""
        kept = self._kept()
        return {id: vector.cosine(other) for id in ids if (other := kept.get(id)) is not None}

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        with self.observations.lock:
            kept = self._kept()
            live = [each for each in self._observations() if not each.purged]
        return Coverage(embedded=sum(each.id in kept for each in live), total=len(live))

    def _kept(self) -> dict[UUID, Vector | None]:
        data = self.observations.data
        require_adopted(self.model, data.model)
        return data.vectors

    def _observations(self) -> list[Observation]:
        return [row.observation for row in self.observations.rows.values()]


def _rank(near: tuple[Observation, float]) -> tuple[bool, float, int]:
    observation, score = near
    return observation.purged, -score, -observation.sequence
