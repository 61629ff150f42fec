"""Faults in which project has an entry, also after projects were merged or split."""

from attrs import define

from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add(
    "projects share one audit trail", "entries_come_back_as_given_newest_first", "the_trail_moves_with_its_project"
)
@define(eq=False)
class OneTrail(InMemoryRegistry):
    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.audit = next(iter(self.shelves.values())).audit
        return id, shelf
