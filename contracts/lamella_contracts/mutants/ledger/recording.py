"""Faults in what becomes of captured changes."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Insert, MarkWarned, Write
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.contracts import CodeLedgerContract
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, looking, storing, without
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()


@MUTANTS.add(
    "a capture is always the last",
    trips={
        "a_history_is_latest_first",
        "the_latest_change_of_a_file_is_told",
        "unaged_edits_are_told_oldest_first",
        "a_late_capture_has_its_neighbours_in_time",
        "a_capture_takes_its_place_in_time",
    },
)
class AlwaysLast(InMemoryTransaction):
    """As a save: never before what is there."""

    def _write(self, write: Write) -> None:
        if isinstance(write, Insert):
            said = write.observation
            moments = [said.occurred_at, *(each.occurred_at for each in self.shelf.newest_first())]
            write = evolve(write, observation=evolve(said, occurred_at=max(moments)))
        super()._write(write)


@MUTANTS.add("erased captures are forgotten", trips={"recorded_requests_are_told"})
class ForgetsErased(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        self.shelf.captured.clear()
        return super().erase(ids, by=by)


@MUTANTS.add("no requests are an error", trips={"no_captures_are_no_error"})
class TakesNoEmptyList(InMemoryLedger):
    def known(self, requests: Collection[str]) -> frozenset[str]:
        if not requests:
            raise SyntaxError("IN ()")
        return super().known(requests)


@MUTANTS.add("warnings are given in any session", trips={"a_session_is_told_once", "long_requests_are_told_apart"})
class WarnsOnce(InMemoryTransaction):
    """Takes a warning of one session for one of all."""

    def look(self, look: Look) -> Facts:
        return super().look(evolve(look, warned=look.warned and evolve(look.warned, session="")))

    def _write(self, write: Write) -> None:
        super()._write(MarkWarned(evolve(write.warned, session="")) if isinstance(write, MarkWarned) else write)


def _purged_too(transaction: InMemoryTransaction, look: Look, _: Facts) -> Mapping[str, Any]:
    oldest_first = transaction.shelf.newest_first()[::-1]
    every = {change.path: each for each in oldest_first for change in each.changes}
    return {"changed": {path: every[path] for path in look.paths if path in every}}


MUTANTS += (
    Mutant(
        fault="former names are dropped",
        transaction=storing(changes=lambda said: tuple(evolve(each, former=None) for each in said.changes)),
        trips={
            "a_capture_becomes_an_observation",
            "a_file_that_is_called_as_before_has_one_history",
            "a_merge_moves_the_ledger",
            "purged_changes_are_in_no_answer",
            "renames_are_followed",
        },
    ),
    Mutant(
        fault="purged changes are the latest",
        transaction=looking(_purged_too),
        trips={"the_latest_change_of_a_file_is_told"},
    ),
    Mutant(
        fault="what is not declared is not refused",
        refuses=True,
        storage=without(Capability.LEDGER),
        trips=naming_clauses(CodeLedgerContract),
    ),
)
