"""Faults in merging projects and splitting them again."""

from collections.abc import Callable
from typing import Any

from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add(
    "merged memories are not indexed",
    "contexts_are_made_anew_where_memories_move",
    "statistics_follow_what_moves",
    "what_is_taken_over_is_found",
)
class MergedAreUnindexed(InMemorySearch):
    """Finds by text only memories saved here."""

    def _ranked(self, words: Any, candidates: Any, filters: Any) -> Any:
        return super()._ranked(words, [each for each in candidates if each.origin == each.project], filters)


@MUTANTS.add("open scopes don't follow a merge", "open_scopes_follow_a_merge")
class ScopesStay(InMemoryObservations):
    """Keeps the data from its opening."""

    def __init__(self, project: str, storage: InMemoryRegistry, **more: Any) -> None:
        super().__init__(project, storage, **more)
        self.first = storage.home(project)[1]

    @property
    def data(self) -> ProjectData:
        return self.first


@MUTANTS.add("a split takes memories of other origins along", "a_split_gives_back_what_came")
class TakesAlong(InMemoryRegistry):
    def _transfer(self, data: ProjectData, to: str, leaves: Callable[[str], bool]) -> int:
        return super()._transfer(data, to, lambda origin: origin not in self.projects or leaves(origin))
