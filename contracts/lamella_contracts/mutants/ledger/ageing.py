"""Faults in the ageing of captured edits."""

from collections.abc import Mapping
from typing import Any

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Age, Amend, Write
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import looking, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add(
    "ageing drops removed lines", "aged_edits_are_warned_of_all_the_same", "lines_that_age_has_dropped_come_along"
)
class ForgetsLines(InMemoryTransaction):
    """Knows removed lines by their hunks only."""

    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Age):
            self.data.rows[write.former.id].lines = None


@MUTANTS.add("amending replaces the fingerprint", "an_edit_is_amended")
class TakesTheLastFingerprint(InMemoryTransaction):
    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Amend):
            self.data.rows[write.observation.id].fingerprint = write.observation.fingerprint


def _live(_: InMemoryTransaction, __: Look, facts: Facts) -> Mapping[str, Any]:
    return {"observations": {id: each for id, each in facts.observations.items() if not each.purged}}


MUTANTS.add("facts omit purged observations", "old_edits_lose_their_lines", "whole_observations_are_told")(
    looking(_live)
)
