"""Faults in the writes of a plan."""

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from lamella.domain.errors import StorageError
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutant, Mutants, storing, writing

MUTANTS = Mutants()

T = TypeVar("T")


@MUTANTS.add("an error of a decision is one of the storage", trips={"a_decision_that_raises_changes_nothing"})
class TakesErrorsForItsOwn(InMemoryObservations):
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        try:
            return super().transact(look, decide)
        except ArithmeticError as error:
            raise StorageError(reason="It failed.", advice="Try again.") from error


MUTANTS += (
    Mutant(
        fault="an empty session is none",
        transaction=storing(session=lambda said: said.session or None),
        trips={"what_is_not_given_stays_absent", "a_session_is_taken_exactly"},
    ),
    Mutant(
        fault="content is trimmed",
        transaction=storing(content=lambda said: said.content.strip()),
        trips={
            "a_tenant_of_any_name_is_one",
            "every_field_comes_back",
            "hostile_text_comes_back_in_every_field",
            "hostile_text_is_found_by_itself",
            "large_text_comes_back_whole",
        },
    ),
    Mutant(
        fault="sessions are cut",
        transaction=storing(session=lambda said: said.session and said.session[:255]),
        trips={"long_keys_are_told_apart"},
    ),
    Mutant(
        fault="what is replaced leads nowhere",
        transaction=writing(SetStatus, lambda _, write: (evolve(write, replaced_by=None),)),
        trips={
            "a_status_is_set_as_given",
            "ids_are_told_with_their_status",
            "what_was_replaced_is_found_by_its_replacement",
            "writes_are_applied_in_order",
        },
    ),
    Mutant(
        fault="nothing leaves the process",
        storage=DurableStorage,
        trips={"transactions_of_processes_come_one_after_another", "a_save_that_cannot_be_synced_fails"},
    ),
)
