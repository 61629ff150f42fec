"""Faults in finding observations by id."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant


class LetsKeyErrorsOut(InMemoryObservations):
    def get(self, id: UUID) -> Observation:
        return self.rows[id].observation


class LooksUp(InMemoryObservations):
    """Looks up beginnings by a rule of its own."""

    def found(self, prefix: str, limit: int) -> list[UUID]:
        raise NotImplementedError

    def starting_with(self, prefix: str, *, limit: int) -> tuple[Observation, ...]:
        return tuple(self.rows[id].observation for id in self.found(prefix, limit))


class ComparesBytes(LooksUp):
    def found(self, prefix: str, limit: int) -> list[UUID]:
        even = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
        return [id for id in sorted(self.rows) if id.bytes.startswith(even)][:limit]


class EndsBeforeTheEnd(LooksUp):
    def found(self, prefix: str, limit: int) -> list[UUID]:
        end = f"{(int(prefix, 16) + 1) % 16 ** len(prefix):0{len(prefix)}x}" if prefix else "g"
        return [id for id in sorted(self.rows) if prefix <= id.hex < end][:limit]


class PrefixIgnoresPurged(LooksUp):
    def found(self, prefix: str, limit: int) -> list[UUID]:
        live = [id for id in sorted(self.rows) if not self.rows[id].observation.purged]
        return [id for id in live if id.hex.startswith(prefix)][:limit]


class LimitsBeforeOrder(LooksUp):
    def found(self, prefix: str, limit: int) -> list[UUID]:
        return sorted([id for id in self.rows if id.hex.startswith(prefix)][:limit])


class FindsMiddles(LooksUp):
    def found(self, prefix: str, limit: int) -> list[UUID]:
        return [id for id in sorted(self.rows) if prefix in id.hex][:limit]


def shortening(rule: Any) -> type[InMemoryObservations]:
    """Short ids by another rule."""

    class Shortening(InMemoryObservations):
        def short_ids(self, ids: Sequence[UUID]) -> tuple[str, ...]:
            right = super().short_ids
            return tuple(rule(self, ids, right))

    return Shortening


def _of_live_only(self: InMemoryObservations, ids: Sequence[UUID], right: Any) -> list[str]:
    every = dict(self.rows)
    for id, row in every.items():
        if row.observation.purged and id not in ids:
            del self.rows[id]
    made = right(ids)
    self.rows.update(every)
    return list(made)


def _of_the_storage(self: InMemoryObservations, ids: Sequence[UUID], _: Any) -> list[str]:
    storage = self.storage
    assert isinstance(storage, InMemoryRegistry)
    every = [id.hex for shelf in storage.shelves.values() for id in shelf.rows]
    lengths = [
        next(n for n in range(8, 33) if sum(other.startswith(id.hex[:n]) for other in every) <= 1) for id in ids
    ]
    return [id.hex[:length] for id, length in zip(ids, lengths, strict=True)]


MUTANTS = (
    Mutant(
        fault="a KeyError gets out",
        observations=LetsKeyErrorsOut,
        trips={
            "an_unknown_id_is_an_error_that_names_it",
            "ids_of_another_project_are_unknown",
            "what_is_erased_is_gone",
            "a_split_leaves_what_was_saved_since",
            "the_neighbourhood_of_nothing_is_an_error",
        },
    ),
    Mutant(
        fault="beginnings are compared in bytes",
        observations=ComparesBytes,
        trips={"a_beginning_of_any_length_finds_its_ids"},
    ),
    Mutant(
        fault="the range of ids ends before the end",
        observations=EndsBeforeTheEnd,
        trips={"the_last_ids_are_found_by_their_beginning"},
    ),
    Mutant(
        fault="beginnings find live ones only",
        observations=PrefixIgnoresPurged,
        trips={"a_beginning_finds_purged_ones_too"},
    ),
    Mutant(
        fault="beginnings are limited before they are ordered",
        observations=LimitsBeforeOrder,
        trips={"beginnings_are_answered_in_order_of_id"},
    ),
    Mutant(
        fault="beginnings are found in the middle",
        observations=FindsMiddles,
        trips={"a_beginning_of_nothing_finds_nothing"},
    ),
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
            "short_ids_are_answered_as_asked",
            "short_ids_are_short_for_their_project",
        },
    ),
    Mutant(
        fault="short ids are unique among live ones",
        observations=shortening(_of_live_only),
        trips={"short_ids_differ_from_purged_ones"},
    ),
    Mutant(
        fault="short ids are sorted",
        observations=shortening(lambda _, ids, right: sorted(right(ids))),
        trips={"short_ids_are_answered_as_asked"},
    ),
    Mutant(
        fault="short ids are unique in the storage",
        observations=shortening(_of_the_storage),
        trips={"short_ids_are_short_for_their_project"},
    ),
)
