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
from lamella_contracts.mutants.broken_storage import Mutants
from lamella_contracts.mutants.embeddings.vector_index import AGREEMENT
from lamella_contracts.mutants.search.filtering import passes
from lamella_contracts.mutants.search.finding import shortened

MUTANTS = Mutants()
ORDER = {"the_nearest_come_first", "a_limit_keeps_the_nearest"}
SIMILARITIES = "similarities_are_of_those_that_were_asked_for"
PURGED = "purged_ones_follow_all_live_ones"

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


@MUTANTS.add("the nearest have short ids of eight digits", trips={"the_nearest_have_short_ids"})
class ShortensToEight(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return shortened(hits[:limit])


@MUTANTS.add(
    "scores are distances", trips={"the_nearest_come_first", "what_points_elsewhere_is_found_last", AGREEMENT}
)
class ScoresAreDistances(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: 1 - score)


@MUTANTS.add(
    "the farthest come first",
    trips={
        *ORDER,
        "what_points_elsewhere_is_found_last",
        "filters_come_before_the_nearest",
        "a_vector_is_replaced",
        "a_vector_outlives_a_purge",
        "what_moves_is_pending_again",
        PURGED,
    },
)
class FarthestFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        live = sorted(hits, key=lambda hit: (hit.observation.purged, hit.score, -hit.observation.sequence))
        return tuple(live[:limit])


@MUTANTS.add("a hit says that it is recent", trips={"the_nearest_come_first"})
class SaysRecent(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(evolve(hit, match=Match.RECENT) for hit in hits[:limit])


@MUTANTS.add("what points elsewhere is cut off", trips={"what_points_elsewhere_is_found_last", PURGED})
class CutsAtZero(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(hit for hit in hits if (hit.score or 0) >= 0)[:limit]


@MUTANTS.add("of equally near ones the older come first", trips={"equally_near_ones_put_the_later_saved_first"})
class OlderFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        older = sorted(hits, key=lambda hit: (hit.observation.purged, -(hit.score or 0), hit.observation.sequence))
        return tuple(older[:limit])


@MUTANTS.add(
    "the limit comes first",
    trips={"a_limit_keeps_the_nearest", "equally_near_ones_put_the_later_saved_first", PURGED},
)
class LimitsFirst(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        read = sorted(hits, key=lambda hit: hit.observation.sequence)[:limit]
        return tuple(hit for hit in hits if hit in read)


@MUTANTS.add("ten are found at most", trips={"a_limit_keeps_the_nearest", "threads_that_put_lose_nothing"})
class TenAtMost(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return tuple(hits[: min(limit, 10)])


@MUTANTS.add("filters come afterwards", trips={"filters_come_before_the_nearest"})
class FiltersAfterwards(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        best = super().hits(vector, limit=limit, filters=Filters(), include_purged=include_purged)
        return tuple(hit for hit in best if passes(hit.observation, filters))


@MUTANTS.add("purged and live ones are mixed", trips={PURGED})
class MixesPurged(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        mixed = sorted(hits, key=lambda hit: (-(hit.score or 0), -hit.observation.sequence))
        return tuple(mixed[:limit])


@MUTANTS.add("purged ones are always shown", trips={PURGED, "a_vector_outlives_a_purge"})
class AlwaysShowsPurged(InMemoryVectors):
    def hits(self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool) -> tuple[Hit, ...]:
        del include_purged
        return super().hits(vector, limit=limit, filters=filters, include_purged=True)


@MUTANTS.add(
    "what has no vector is found",
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


@MUTANTS.add("similarities are rounded", trips={SIMILARITIES})
class Rounds(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return {id: round(similarity, 2) for id, similarity in super().similarities(vector, ids).items()}


@MUTANTS.add("similarities are filtered", trips={SIMILARITIES})
class LikensWhatPasses(InMemoryVectors):
    def nearest(
        self, vector: Vector, *, filters: Filters, compared: Collection[UUID] = (), **asked: Any
    ) -> Nearest:
        passing = {each.id for each in self._observations() if passes(each, filters)}
        return super().nearest(vector, filters=filters, compared=[id for id in compared if id in passing], **asked)


@MUTANTS.add("purged ones have no similarity", trips={SIMILARITIES, "a_vector_outlives_a_purge"})
class LikensLiveOnly(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        live = {each.id for each in self._observations() if not each.purged}
        return super().similarities(vector, [id for id in ids if id in live])


@MUTANTS.add(
    "what has no vector has a similarity",
    trips={
        SIMILARITIES,
        "another_model_drops_the_vectors",
        "vectors_stay_in_their_project",
        "a_vector_is_replaced",
        "unknown_ids_are_passed_over",
        "an_erase_takes_the_vector",
    },
)
class LikensNothings(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        right = super().similarities(vector, ids)
        return {id: right.get(id, 0.0) for id in ids}


@MUTANTS.add("all have a similarity", trips={SIMILARITIES, "unknown_ids_are_passed_over"})
class LikensAll(InMemoryVectors):
    def similarities(self, vector: Vector, ids: Collection[UUID]) -> Mapping[UUID, float]:
        return super().similarities(vector, [*ids, *self._kept()])


@MUTANTS.add("scores have single precision", trips={"the_nearest_come_first", AGREEMENT})
class SinglePrecision(Finding):
    def made_of(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        return rescored(hits[:limit], lambda score: struct.unpack("f", struct.pack("f", score))[0])
