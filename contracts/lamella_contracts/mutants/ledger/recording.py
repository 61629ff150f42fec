"""Faults in recording captures."""

from collections.abc import Collection

from attrs import evolve

from lamella.domain.transactions.plan import Insert, RememberRequest, Write
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import storage_mutants, storing, writing

MUTANTS = storage_mutants()


@MUTANTS.add(
    "a late capture gets the latest timestamp",
    "a_capture_takes_its_place_in_time",
    "a_history_is_latest_first",
    "the_latest_change_of_a_file_is_told",
    "unaged_edits_are_told_oldest_first",
)
class AlwaysLast(InMemoryTransaction):
    """Appends, like a save, instead of inserting by time."""

    def _write(self, write: Write) -> None:
        if isinstance(write, Insert):
            said = write.observation
            moments = [said.occurred_at, *(each.occurred_at for each in self.data.newest_first())]
            write = evolve(write, observation=evolve(said, occurred_at=max(moments)))
        super()._write(write)


@MUTANTS.add("an empty list of requests is a syntax error", "no_captures_are_no_error")
class TakesNoEmptyList(InMemoryLedger):
    def known(self, requests: Collection[str]) -> frozenset[str]:
        if not requests:
            raise SyntaxError("IN ()")
        return super().known(requests)


MUTANTS.add(
    "requests of captures are not stored",
    "long_requests_are_told_apart",
    "recorded_requests_are_told",
    "the_ledger_knows_what_was_taken_over",
)(writing(RememberRequest, lambda *_: ()))
MUTANTS.add("former names are not stored", "renames_are_followed")(
    storing(changes=lambda said: tuple(evolve(each, former=None) for each in said.changes))
)
