"""Faults in who is told, and in what becomes of the ledger when projects move, are erased or closed."""

from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("captures and warnings are kept in memory only", "the_ledger_survives_a_restart")
class Forgetful(DurableStorage):
    """Keeps observations when it is closed, and neither captures nor who was told."""

    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.captured.clear()
            shelf.warned.clear()


@MUTANTS.add(
    "erased changes are answered from a cache", "a_merge_moves_the_ledger", "erased_changes_are_in_no_answer"
)
class KeepsErased(BrokenStorage):
    """Answers from what it saw once."""

    def ledger(self, project: str) -> InMemoryLedger:
        seen = self.__dict__.setdefault("seen", {})

        class Remembering(InMemoryLedger):
            def _live(self) -> list[Observation]:
                live = super()._live()
                purged = {each.id for each in self.observations.in_order() if each.purged}
                known: dict[UUID, Observation] = seen.setdefault(self.observations.project, {})
                known.update({each.id: each for each in live})
                return sorted(
                    (each for each in known.values() if each.id not in purged),
                    key=lambda each: (each.occurred_at, each.sequence),
                    reverse=True,
                )

        return Remembering(self._scope(project))
