"""Faults in finding observations by id."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants

MUTANTS = Mutants()


@MUTANTS.add(
    "a KeyError gets out",
    trips={
        "unknown_ids_are_left_out",
        "ids_of_another_project_are_unknown",
        "what_is_erased_is_gone",
        "a_split_leaves_what_was_saved_since",
        "the_neighbourhood_of_nothing_is_an_error",
    },
)
class LetsKeyErrorsOut(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        return {id: self.rows[id].observation for id in ids}


@MUTANTS.add("ids are answered as they were saved", trips={"ids_are_answered_in_their_order"})
class AnswersAsSaved(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        return super().get_all([id for id in self.rows if id in ids])


@MUTANTS.add("a limit is for all beginnings", trips={"beginnings_are_looked_up_together"})
class LimitsTogether(InMemoryObservations):
    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        left, found = limit, {}
        for prefix, hits in super().starting_with(prefixes, limit=limit).items():
            found[prefix] = hits[:left]
            left -= len(found[prefix])
        return found


@MUTANTS.add("beginnings of nothing are left out", trips={"beginnings_are_looked_up_together"})
class LeavesOutNothings(InMemoryObservations):
    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        return {prefix: hits for prefix, hits in super().starting_with(prefixes, limit=limit).items() if hits}


@MUTANTS.add("what two beginnings find is told once", trips={"beginnings_are_looked_up_together"})
class FindsOnce(InMemoryObservations):
    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        told: set[UUID] = set()
        found = {}
        for prefix, hits in super().starting_with(prefixes, limit=limit).items():
            found[prefix] = tuple(hit for hit in hits if hit.observation.id not in told)
            told |= {hit.observation.id for hit in hits}
        return found


@MUTANTS.add("what a beginning finds is recent", trips={"beginnings_are_looked_up_together"})
class SaysRecent(InMemoryObservations):
    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        right = super().starting_with(prefixes, limit=limit)
        return {prefix: tuple(evolve(hit, match=Match.RECENT) for hit in hits) for prefix, hits in right.items()}


@MUTANTS.add("beginnings are compared in bytes", trips={"a_beginning_of_any_length_finds_its_ids"})
class ComparesBytes(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        even = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
        return [id for id in sorted(self.rows) if id.bytes.startswith(even)][:limit]


@MUTANTS.add("the range of ids ends before the end", trips={"the_last_ids_are_found_by_their_beginning"})
class EndsBeforeTheEnd(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        end = f"{(int(prefix, 16) + 1) % 16 ** len(prefix):0{len(prefix)}x}" if prefix else "g"
        return [id for id in sorted(self.rows) if prefix <= id.hex < end][:limit]


@MUTANTS.add("beginnings find live ones only", trips={"a_beginning_finds_purged_ones_too"})
class PrefixIgnoresPurged(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        live = [id for id in sorted(self.rows) if not self.rows[id].observation.purged]
        return [id for id in live if id.hex.startswith(prefix)][:limit]


@MUTANTS.add("beginnings are limited before they are ordered", trips={"beginnings_are_answered_in_order_of_id"})
class LimitsBeforeOrder(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        return sorted([id for id in self.rows if id.hex.startswith(prefix)][:limit])


@MUTANTS.add("beginnings are found in the middle", trips={"a_beginning_of_nothing_finds_nothing"})
class FindsMiddles(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        return [id for id in sorted(self.rows) if prefix in id.hex][:limit]


def shortening(rule: Any) -> type[InMemoryObservations]:
    """Short ids by another rule."""

    class Shortening(InMemoryObservations):
        def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
            asked = list(ids)
            return dict(zip(asked, rule(self, asked, super().short_ids), strict=True))

    return Shortening


def _of_live_only(self: InMemoryObservations, ids: Sequence[UUID], right: Any) -> list[str]:
    every = dict(self.rows)
    for id, row in every.items():
        if row.observation.purged and id not in ids:
            del self.rows[id]
    made = right(ids)
    self.rows.update(every)
    return list(made.values())


def _of_the_storage(self: InMemoryObservations, ids: Sequence[UUID], _: Any) -> list[str]:
    storage = self.storage
    assert isinstance(storage, InMemoryRegistry)
    every = [id.hex for shelf in storage.shelves.values() for id in shelf.rows]
    lengths = [
        next(n for n in range(8, 33) if sum(other.startswith(id.hex[:n]) for other in every) <= 1) for id in ids
    ]
    return [id.hex[:length] for id, length in zip(ids, lengths, strict=True)]


MUTANTS += (
    Mutant(
        fault="short ids are of fixed length",
        observations=shortening(lambda _, ids, __: [id.hex[:8] for id in ids]),
        trips={"short_ids_grow_until_they_are_unique", "short_ids_differ_from_purged_ones"},
    ),
    Mutant(
        fault="short ids are the first part of an id",
        observations=shortening(lambda _, ids, __: [str(id)[:9] for id in ids]),
        trips={
            "short_ids_have_eight_digits",
            "short_ids_grow_until_they_are_unique",
            "short_ids_differ_from_purged_ones",
            "short_ids_are_short_for_their_project",
        },
    ),
    Mutant(
        fault="short ids are unique among live ones",
        observations=shortening(_of_live_only),
        trips={"short_ids_differ_from_purged_ones"},
    ),
    Mutant(
        fault="short ids are unique in the storage",
        observations=shortening(_of_the_storage),
        trips={"short_ids_are_short_for_their_project"},
    ),
)
