"""Faults in the choice of near vectors, and in their scores."""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import Filters, Hit, Match
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import storage_mutants
from lamella_contracts.mutants.search.filtering import passes
from lamella_contracts.mutants.search.finding import shortened

MUTANTS = storage_mutants()


ALL = 10_000


class Finding(InMemoryVectors):
    """Finds the right hits, and changes them."""

    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        right = super().hits(vector, limit=ALL, filters=filters, include_purged=include_purged)
        return self.made_of(right, limit)

    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        """Change the right answer, given without a limit."""
        return tuple(hits[:limit])


def rescored(hits: Sequence[Hit], score: Callable[[Any], float]) -> tuple[Hit, ...]:
    """Return the hits with scores changed by `score`."""
    return tuple(evolve(hit, score=score(hit.score)) for hit in hits)


@MUTANTS.add("short ids of the nearest always have eight digits", "the_nearest_have_short_ids")
class ShortensToEight(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return shortened(hits[:limit])


@MUTANTS.add(
    "the farthest come first",
    "filters_come_before_the_nearest",
    "purged_ones_are_neither_pending_nor_covered",
    "purged_ones_follow_all_live_ones",
    "what_moves_is_pending_again",
)
class FarthestFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        live = sorted(hits, key=lambda hit: (hit.observation.purged, hit.score, -hit.observation.sequence))
        return tuple(live[:limit])


@MUTANTS.add("ties are broken by the older memory", "equally_near_ones_put_the_later_saved_first")
class OlderFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        older = sorted(hits, key=lambda hit: (hit.observation.purged, -(hit.score or 0), hit.observation.sequence))
        return tuple(older[:limit])


@MUTANTS.add(
    "memories without a vector are found",
    "an_erase_takes_the_vector",
    "vectors_stay_in_their_project",
    "what_changed_meanwhile_is_passed_over",
)
class ShowsThoseWithout(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        found = super().hits(vector, limit=limit, filters=filters, include_purged=include_purged)
        without = [
            Hit(observation=each, short_id=each.id.hex[:8], match=Match.MEANING, score=0.0)
            for each in self._observations()
            if self._kept().get(each.id) is None and passes(each, filters)
        ]
        return (*found, *without)[:limit]


@MUTANTS.add(
    "similarities of other memories are returned",
    "similarities_are_of_those_that_were_asked_for",
    "what_was_put_is_not_pending",
)
class LikensAll(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return super().similarities(vector, [*ids, *self._kept()])


@MUTANTS.add("scores have single precision", "nearness_agrees_with_the_model", "the_nearest_come_first")
class SinglePrecision(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: struct.unpack("f", struct.pack("f", score))[0])
