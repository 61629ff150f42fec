"""Faults in the ageing of captured edits."""

from collections.abc import Iterable

from attrs import evolve

from lamella.domain.transactions.plan import Age, Amend, Write
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, looking, writing

MUTANTS = Mutants()


def _keeps_words(_: InMemoryTransaction, write: Age) -> Iterable[Write]:
    return (evolve(write, now=write.now and evolve(write.now, content=write.former.content)),)


@MUTANTS.add("aged edits are forgotten", trips={"aged_edits_are_warned_of_all_the_same"})
class ForgetsLines(InMemoryTransaction):
    """Knows removed lines by their hunks only."""

    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Age):
            self.shelf.rows[write.former.id].lines = None


@MUTANTS.add("an amended one says the same from then on", trips={"an_edit_is_amended"})
class TakesTheLastFingerprint(InMemoryTransaction):
    def _write(self, write: Write) -> None:
        super()._write(write)
        if isinstance(write, Amend):
            self.shelf.rows[write.observation.id].fingerprint = write.observation.fingerprint


MUTANTS += (
    Mutant(
        fault="aged edits keep their words",
        transaction=writing(Age, _keeps_words),
        trips={"old_edits_lose_their_lines"},
    ),
    Mutant(
        fault="the youngest edits age first",
        transaction=looking(lambda _, __, facts: {"unaged": facts.unaged[::-1]}),
        trips={"unaged_edits_are_told_oldest_first"},
    ),
)
