"""Faults that come with rows on a database server: types of columns, collations, NULL, empty lists, limits."""

from typing import Any

from lamella.domain.projects.project import Project
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("projects are sorted without regard to case", "projects_are_listed_by_name_and_id")
class ListsByLocale(InMemoryRegistry):
    """Orders names as people do: without case."""

    def all(self) -> tuple[Project, ...]:
        return tuple(sorted(super().all(), key=lambda each: (each.name.lower(), each.id)))


@MUTANTS.add("a merge sorts by time instead of sequence", "a_merge_moves_memories")
class MergesInOrderOfTime(InMemoryRegistry):
    """Moves rows in another order than that of their sequence."""

    def _move(self, shelf: Any, target: str, rows: list[Row]) -> int:
        return super()._move(shelf, target, sorted(rows, key=lambda row: row.observation.created_at))
