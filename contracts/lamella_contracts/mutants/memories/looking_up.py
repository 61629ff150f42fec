"""Faults in finding observations by id."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Observation
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("pages omit purged memories", "pages_hold_everything_in_order")
class LeavesOutPurged(InMemoryObservations):
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        whole = super().page(after=after, limit=len(self.rows) + limit)
        return tuple(each for each in whole if not each.observation.purged)[:limit]


@MUTANTS.add("memories come in order of saving", "ids_are_answered_in_their_order")
class AnswersAsSaved(InMemoryObservations):
    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        return super().get_all([id for id in self.rows if id in ids])


@MUTANTS.add("a prefix matches in the middle of an id", "beginnings_are_looked_up_together")
class FindsMiddles(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> list[UUID]:
        return [id for id in sorted(self.rows) if prefix in id.hex][:limit]


@MUTANTS.add(
    "the empty prefix matches nothing",
    "a_beginning_of_any_length_finds_its_ids",
    "short_ids_grow_until_they_are_unique",
)
class NoEmptyBeginning(InMemoryObservations):
    def ids(self, prefix: str, limit: int) -> Sequence[UUID]:
        return super().ids(prefix, limit) if prefix else ()


@MUTANTS.add("short ids ignore replaced memories", "short_ids_differ_from_purged_ones")
class IgnoresReplaced(InMemoryObservations):
    def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
        asked, every = list(ids), dict(self.rows)
        for id in [id for id, row in every.items() if row.observation.replaced_by and id not in asked]:
            del self.rows[id]
        short = super().short_ids(asked)
        self.rows.update(every)
        return short
