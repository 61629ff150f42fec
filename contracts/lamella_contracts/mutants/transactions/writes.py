"""Faults in the writes of a plan."""

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve

from lamella.domain.errors import StorageError
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan, SetStatus
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_contracts.mutants.broken_storage import DurableStorage, storage_mutants, storing, writing

MUTANTS = storage_mutants()


T = TypeVar("T")


@MUTANTS.add("the error of a decision becomes a StorageError", "a_decision_that_raises_changes_nothing")
class TakesErrorsForItsOwn(InMemoryObservations):
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        try:
            return super().transact(look, decide)
        except ArithmeticError as error:
            raise StorageError(reason="It failed.", advice="Try again.") from error


MUTANTS.add("an empty session is stored as NULL", "a_session_is_taken_exactly", "what_is_not_given_stays_absent")(
    storing(session=lambda said: said.session or None)
)
MUTANTS.add(
    "content is trimmed",
    "every_field_comes_back",
    "hostile_text_comes_back_in_every_field",
    "large_text_comes_back_whole",
)(storing(content=lambda said: said.content.strip()))
MUTANTS.add(
    "keywords are not stored",
    "every_field_comes_back",
    "hostile_text_comes_back_in_every_field",
    "keywords_count_as_content",
)(storing(keywords=lambda _: ""))
MUTANTS.add("commits are not stored", "every_field_comes_back", "hostile_text_comes_back_in_every_field")(
    storing(head=lambda _: None)
)
MUTANTS.add("sessions are truncated", "long_keys_are_told_apart")(
    storing(session=lambda said: said.session and said.session[:255])
)
MUTANTS.add(
    "replacements are not stored",
    "ids_are_told_with_their_status",
    "what_was_replaced_is_found_by_its_replacement",
    "writes_are_applied_in_order",
)(writing(SetStatus, lambda _, write: (evolve(write, replaced_by=None),)))
MUTANTS.add(
    "writes stay in their process",
    "a_save_that_cannot_be_synced_fails",
    "transactions_of_processes_come_one_after_another",
)(DurableStorage)
