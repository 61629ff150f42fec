"""Faults that come with rows on a database server: types of columns, collations, NULL, empty lists, limits."""

from datetime import UTC, datetime
from typing import Any

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella_adapters.memory.shelf import Row
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()


@MUTANTS.add("projects are listed without case", trips={"projects_are_listed_by_name_and_id"})
class ListsByLocale(InMemoryRegistry):
    """Orders names as people do: without case."""

    def all(self) -> tuple[Project, ...]:
        return tuple(sorted(super().all(), key=lambda each: (each.name.lower(), each.id)))


@MUTANTS.add("aliases are cut", trips={"long_places_are_told_apart"})
class CutsKeys(InMemoryRegistry):
    def _cut(self, location: Location) -> Location:
        return evolve(location, key=location.key[:255])

    def at(self, location: Location, *, now: datetime) -> Project:
        return super().at(self._cut(location), now=now)

    def living_at(self, location: Location) -> Project | None:
        return super().living_at(self._cut(location))


@MUTANTS.add("a merge loses the order of saving", trips={"a_merge_moves_memories"})
class MergesInOrderOfTitle(InMemoryRegistry):
    """Moves rows in another order than that of their sequence."""

    def _move(self, shelf: Any, target: str, rows: list[Row]) -> int:
        return super()._move(shelf, target, sorted(rows, key=lambda row: row.observation.title, reverse=True))


@MUTANTS.add("a merge writes its time", trips={"a_merge_moves_memories", "a_split_keeps_the_present_state"})
class MergeSetsTimes(InMemoryRegistry):
    """Writes moved rows with the time of their arrival."""

    def _move(self, shelf: Any, target: str, rows: list[Row]) -> int:
        moved = super()._move(shelf, target, rows)
        for row in rows:
            row.observation = evolve(row.observation, updated_at=datetime.now(UTC))
        return moved
