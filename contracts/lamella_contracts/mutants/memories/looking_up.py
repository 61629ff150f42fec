"""Faults in finding observations by id."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()


@MUTANTS.add(
    "a KeyError gets out",
    trips={
        "unknown_ids_are_left_out",
        "ids_of_another_project_are_unknown",
        "what_is_erased_is_gone",
        "a_split_leaves_what_was_saved_since",
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


@MUTANTS.add(
    "the empty beginning finds nothing",
    trips={
        "a_beginning_of_any_length_finds_its_ids",
        "short_ids_have_eight_digits",
        "short_ids_grow_until_they_are_unique",
        "short_ids_are_short_for_their_project",
    },
)
class NoEmptyBeginning(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> Sequence[UUID]:
        return super().ids(prefix, limit) if prefix else ()


@MUTANTS.add("short ids ignore replaced ones", trips={"short_ids_differ_from_purged_ones"})
class IgnoresReplaced(InMemoryObservations):
    def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
        asked, every = list(ids), dict(self.rows)
        for id in [id for id, row in every.items() if row.observation.replaced_by and id not in asked]:
            del self.rows[id]
        short = super().short_ids(asked)
        self.rows.update(every)
        return short
