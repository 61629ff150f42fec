"""Faults in which vectors are near, and how near."""

import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import Filters, Hit, Match
from lamella.ports.storage.vectors import Nearest
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import Mutant
from lamella_contracts.mutants.embeddings.vector_index import AGREEMENT
from lamella_contracts.mutants.search.filtering import passes
from lamella_contracts.mutants.search.finding import shortened

ALL = 10_000


class Finding(InMemoryVectors):
    """Finds all as it should, and makes something else of it."""

    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        right = super().hits(vector, limit=ALL, filters=filters, include_purged=include_purged)
        return self.made_of(right, limit)

    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        """Return what becomes of the right answer without a limit."""
        return tuple(hits[:limit])


def rescored(hits: Sequence[Hit], score: Callable[[Any], float]) -> tuple[Hit, ...]:
    """Return the hits with the scores that `score` makes of theirs."""
    return tuple(evolve(hit, score=score(hit.score)) for hit in hits)


class ShortensToEight(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return shortened(hits[:limit])


class ScoresAreDistances(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: 1 - score)


class FarthestFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        live = sorted(hits, key=lambda hit: (hit.observation.purged, hit.score, -hit.observation.sequence))
        return tuple(live[:limit])


class SaysRecent(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(evolve(hit, match=Match.RECENT) for hit in hits[:limit])


class CutsAtZero(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(hit for hit in hits if (hit.score or 0) >= 0)[:limit]


class OlderFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        older = sorted(hits, key=lambda hit: (hit.observation.purged, -(hit.score or 0), hit.observation.sequence))
        return tuple(older[:limit])


class LimitsFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        read = sorted(hits, key=lambda hit: hit.observation.sequence)[:limit]
        return tuple(hit for hit in hits if hit in read)


class TenAtMost(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(hits[: min(limit, 10)])


class FiltersAfterwards(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        best = super().hits(vector, limit=limit, filters=Filters(), include_purged=include_purged)
        return tuple(hit for hit in best if passes(hit.observation, filters))


class MixesPurged(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        mixed = sorted(hits, key=lambda hit: (-(hit.score or 0), -hit.observation.sequence))
        return tuple(mixed[:limit])


class AlwaysShowsPurged(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        del include_purged
        return super().hits(vector, limit=limit, filters=filters, include_purged=True)


class ShowsThoseWithout(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        found = super().hits(vector, limit=limit, filters=filters, include_purged=include_purged)
        without = [
            Hit(observation=each, short_id=each.id.hex[:8], match=Match.MEANING, score=0.0)
            for each in self._observations()
            if self._kept().get(each.id) is None and passes(each, filters)
        ]
        return (*found, *without)[:limit]


class Rounds(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return {id: round(similarity, 2) for id, similarity in super().similarities(vector, ids).items()}


class LikensWhatPasses(InMemoryVectors):
    def nearest(
        self, vector: Vector, *, filters: Filters, compared: Collection[UUID] = (), **asked: Any
    ) -> Nearest:
        passing = {each.id for each in self._observations() if passes(each, filters)}
        return super().nearest(vector, filters=filters, compared=[id for id in compared if id in passing], **asked)


class LikensLiveOnly(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        live = {each.id for each in self._observations() if not each.purged}
        return super().similarities(vector, [id for id in ids if id in live])


class LikensNothings(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        right = super().similarities(vector, ids)
        return {id: right.get(id, 0.0) for id in ids}


class LikensAll(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return super().similarities(vector, [*ids, *self._kept()])


class SinglePrecision(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: struct.unpack("f", struct.pack("f", score))[0])


ORDER = {"the_nearest_come_first", "a_limit_keeps_the_nearest"}
SIMILARITIES = "similarities_are_of_those_that_were_asked_for"
PURGED = "purged_ones_follow_all_live_ones"

MUTANTS = (
    Mutant(
        fault="the nearest have short ids of eight digits",
        vectors=ShortensToEight,
        trips={"the_nearest_have_short_ids"},
    ),
    Mutant(
        fault="scores are distances",
        vectors=ScoresAreDistances,
        trips={"the_nearest_come_first", "what_points_elsewhere_is_found_last", AGREEMENT},
    ),
    Mutant(
        fault="the farthest come first",
        vectors=FarthestFirst,
        trips={
            *ORDER,
            "what_points_elsewhere_is_found_last",
            "filters_come_before_the_nearest",
            "a_vector_is_replaced",
            "a_vector_outlives_a_purge",
            "what_moves_is_pending_again",
            PURGED,
        },
    ),
    Mutant(fault="a hit says that it is recent", vectors=SaysRecent, trips={"the_nearest_come_first"}),
    Mutant(
        fault="what points elsewhere is cut off",
        vectors=CutsAtZero,
        trips={"what_points_elsewhere_is_found_last", PURGED},
    ),
    Mutant(
        fault="of equally near ones the older come first",
        vectors=OlderFirst,
        trips={"equally_near_ones_put_the_later_saved_first"},
    ),
    Mutant(
        fault="the limit comes first",
        vectors=LimitsFirst,
        trips={"a_limit_keeps_the_nearest", "equally_near_ones_put_the_later_saved_first", PURGED},
    ),
    Mutant(
        fault="ten are found at most",
        vectors=TenAtMost,
        trips={"a_limit_keeps_the_nearest", "threads_that_put_lose_nothing"},
    ),
    Mutant(
        fault="filters come afterwards",
        vectors=FiltersAfterwards,
        trips={"filters_come_before_the_nearest"},
    ),
    Mutant(fault="purged and live ones are mixed", vectors=MixesPurged, trips={PURGED}),
    Mutant(
        fault="purged ones are always shown",
        vectors=AlwaysShowsPurged,
        trips={PURGED, "a_vector_outlives_a_purge"},
    ),
    Mutant(
        fault="what has no vector is found",
        vectors=ShowsThoseWithout,
        trips={
            "what_has_no_vector_is_not_near",
            "another_model_drops_the_vectors",
            "what_was_put_is_not_pending",
            "what_changed_meanwhile_is_passed_over",
            "what_is_amended_is_pending_again",
            "vectors_stay_in_their_project",
            "a_vector_is_replaced",
            "an_erase_takes_the_vector",
            "what_moves_is_pending_again",
        },
    ),
    Mutant(fault="similarities are filtered", vectors=LikensWhatPasses, trips={SIMILARITIES}),
    Mutant(fault="similarities are rounded", vectors=Rounds, trips={SIMILARITIES}),
    Mutant(
        fault="purged ones have no similarity",
        vectors=LikensLiveOnly,
        trips={SIMILARITIES, "a_vector_outlives_a_purge"},
    ),
    Mutant(
        fault="what has no vector has a similarity",
        vectors=LikensNothings,
        trips={
            SIMILARITIES,
            "another_model_drops_the_vectors",
            "vectors_stay_in_their_project",
            "a_vector_is_replaced",
            "unknown_ids_are_passed_over",
            "an_erase_takes_the_vector",
        },
    ),
    Mutant(fault="all have a similarity", vectors=LikensAll, trips={SIMILARITIES, "unknown_ids_are_passed_over"}),
    Mutant(
        fault="scores have single precision",
        vectors=SinglePrecision,
        trips={"the_nearest_come_first", AGREEMENT},
    ),
)
