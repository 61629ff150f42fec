"""Faults in who is told, and in what becomes of the ledger when projects move, are erased or closed."""

from uuid import UUID

from attrs import define, evolve

from lamella.domain.memories.observation import Observation
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.shelf import Row, Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, Mutants

MUTANTS = Mutants()


@MUTANTS.add("captures and warnings are in memory only", trips={"the_ledger_survives_a_restart"})
class Forgetful(DurableStorage):
    """Keeps observations when it is closed, and neither captures nor who was told."""

    def restarted(self) -> None:
        for shelf in self.registry.shelves.values():
            shelf.captured.clear()
            shelf.warned.clear()


@MUTANTS.add(
    "projects share what was captured",
    trips={"recorded_requests_are_told", "a_merge_moves_the_ledger", "each_project_has_its_own_ledger"},
)
@define(eq=False)
class OneShelf(InMemoryRegistry):
    """All projects share what was captured."""

    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.captured = next(iter(self.shelves.values())).captured
        return id, shelf


@MUTANTS.add("an unknown project is another one", trips={"each_project_has_its_own_ledger"})
class AnyProject(BrokenStorage):
    def ledger(self, project: str) -> InMemoryLedger:
        first = next(iter(self.registry.projects), project)
        return InMemoryLedger(self._scope(first if project not in self.registry.projects else project))


@MUTANTS.add("changes are lost on the way", trips={"a_merge_moves_the_ledger"})
@define(eq=False)
class LosesChanges(InMemoryRegistry):
    def _move(self, shelf: Shelf, target: str, rows: list[Row]) -> int:
        for row in rows:
            row.observation = evolve(row.observation, changes=())
        return super()._move(shelf, target, rows)


@MUTANTS.add("erased changes are seen", trips={"a_merge_moves_the_ledger", "erased_changes_are_in_no_answer"})
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
