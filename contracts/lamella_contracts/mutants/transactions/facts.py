"""Faults in the facts that a look answers."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from attrs import evolve

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus, Write
from lamella.ports.storage.transaction import T
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Row, Shelf
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, looking

MUTANTS = Mutants()


def _highest_present(transaction: InMemoryTransaction, _: Look, __: Facts) -> Mapping[str, Any]:
    return {"sequence": max((row.observation.sequence for row in transaction.shelf.rows.values()), default=0)}


def _requests_of_a_day(_: InMemoryTransaction, __: Look, facts: Facts) -> Mapping[str, Any]:
    known = facts.latest and facts.latest - timedelta(days=1)
    return {
        "same": tuple(
            evolve(each, request=each.request if known and each.observation.occurred_at >= known else None)
            for each in facts.same
        )
    }


class AsksAll(InMemoryTransaction):
    """Looks at the observations of all projects, and changes them."""

    def rows(self) -> list[Row]:
        """Return all rows."""
        return [row for shelf in self.shelves.values() for row in shelf.rows.values()]

    def look(self, look: Look) -> Facts:
        said = [row.observation for row in self.rows()]
        shelf = Shelf(rows={row.observation.id: row for row in self.rows()})
        every = InMemoryTransaction(self.project, shelf, self.shelves)
        facts = every.look(look)
        latest = max((each.occurred_at for each in said), default=None)
        return evolve(super().look(look), statuses=facts.statuses, same=facts.same, latest=latest)

    def _write(self, write: Write) -> None:
        if isinstance(write, SetStatus):
            every = {row.observation.id: row for row in self.rows()}
            self.shelf.rows |= {id: every[id] for id in write.ids}
        super()._write(write)


@MUTANTS.add(
    "a project is the whole storage",
    trips={
        "an_unknown_word_tells_as_much_as_a_rare_one",
        "ids_are_told_with_their_status",
        "statistics_are_those_of_live_ones",
        "the_last_number_and_moment_are_known",
        "what_says_the_same_is_told_in_order",
    },
)
class Boundless(InMemoryObservations):
    def _transaction(self) -> InMemoryTransaction:
        return AsksAll(*self.storage.home(self.project), self.storage.shelves)


@MUTANTS.add("facts are of the project that was asked for", trips={"facts_are_those_of_where_a_merge_led"})
class StaysWhereItWas(InMemoryObservations):
    def look(self, look: Look) -> Facts:
        return evolve(super().look(look), project=self.project)


@MUTANTS.add("memory is off once it was", trips={"it_is_told_that_memory_is_off"})
class OffForEver(InMemoryObservations):
    def look(self, look: Look) -> Facts:
        off = self.storage.projects[self.project].off
        return evolve(super().look(look), off_since=off[-1].since if off and look.off else None)


@MUTANTS.add(
    "only a read finds beginnings",
    trips={"a_change_finds_beginnings"},
)
class FindsInReadsOnly(InMemoryObservations):
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        return super().transact(evolve(look, prefixes=()), decide)


MUTANTS += (
    Mutant(
        fault="numbers are given away again",
        transaction=looking(_highest_present),
        trips={"sequence_numbers_are_never_reused"},
    ),
    Mutant(
        fault="requests are known for a day",
        transaction=looking(_requests_of_a_day),
        trips={"what_says_the_same_is_told_in_order"},
    ),
    Mutant(
        fault="marks are forgotten",
        transaction=looking(lambda *_: {"erased": frozenset()}),
        trips={"an_erase_leaves_nothing_in_another_project", "marks_of_what_was_erased_are_told"},
    ),
)
