"""Faults in the ageing of captured edits."""

from datetime import datetime, timedelta

from attrs import evolve

from lamella.domain.memories.observation import Kind
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()

LOST, WARNED, OTHERS = (
    "old_edits_lose_their_lines",
    "aged_edits_are_warned_of_all_the_same",
    "nothing_else_ages",
)


@MUTANTS.add("nothing ages", trips={LOST, OTHERS})
class KeepsAll(InMemoryLedger):
    def age(self, before: datetime, *, limit: int) -> bool:
        del before, limit
        return False


@MUTANTS.add("ageing never ends", trips={LOST, WARNED, OTHERS})
class AgesForEver(InMemoryLedger):
    def age(self, before: datetime, *, limit: int) -> bool:
        super().age(before, limit=limit)
        return True


@MUTANTS.add("aged edits are forgotten", trips={WARNED})
class ForgetsLines(InMemoryLedger):
    """Knows removed lines by their hunks only."""

    def age(self, before: datetime, *, limit: int) -> bool:
        more = super().age(before, limit=limit)
        for row in self.observations.shelf.rows.values():
            row.lines = None
        return more


@MUTANTS.add("aged edits keep their words", trips={LOST})
class KeepsWords(InMemoryLedger):
    def age(self, before: datetime, *, limit: int) -> bool:
        rows = self.observations.shelf.rows
        former = {id: row.observation.content for id, row in rows.items()}
        more = super().age(before, limit=limit)
        for id, row in rows.items():
            row.observation = evolve(row.observation, content=former[id])
        return more


@MUTANTS.add("young edits age", trips={OTHERS})
class AgesYoung(InMemoryLedger):
    def age(self, before: datetime, *, limit: int) -> bool:
        return super().age(before + timedelta(days=30), limit=limit)


@MUTANTS.add("saved changes age", trips={OTHERS})
class AgesSaved(InMemoryLedger):
    def age(self, before: datetime, *, limit: int) -> bool:
        more = super().age(before, limit=limit)
        for row in self.observations.shelf.rows.values():
            whole = row.observation
            if whole.kind is Kind.NOTE:
                changes = tuple(evolve(each, hunks="") for each in whole.changes)
                row.observation = evolve(whole, changes=changes)
        return more
