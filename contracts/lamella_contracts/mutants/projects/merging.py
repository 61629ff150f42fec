"""Faults in merging projects and splitting them again."""

from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.errors import ProjectChangeError
from lamella.domain.memories.observation import Observation
from lamella.domain.projects.project import Location, Project
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.shelf import Row, Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutants
from lamella_contracts.mutants.fault import HISTORY

MUTANTS = Mutants()


class Merging(InMemoryRegistry):
    """Moves rows by a rule of its own."""

    def moving(self, rows: list[Row]) -> list[Row]:
        """Return the rows that move."""
        return rows

    def arrived(self, observation: Observation, _: str) -> Observation:
        """Return the new observation of a row that was moved."""
        return observation

    def _move(self, shelf: Shelf, target: str, rows: list[Row]) -> int:
        going = self.moving(rows)
        moved = super()._move(shelf, target, going)
        for row in going:
            row.observation = self.arrived(row.observation, target)
        return moved


@MUTANTS.add(
    "a merge forgets the origin",
    trips={
        "a_split_makes_contexts_anew",
        "an_erase_leaves_nothing_in_another_project",
        "statistics_forget_what_moved_away",
        "a_merge_moves_memories",
        "a_split_gives_back_what_came",
        "a_split_keeps_the_present_state",
        "a_split_takes_along_what_was_merged_before",
    },
)
class ForgetsOrigin(Merging):
    def arrived(self, observation: Observation, _: str) -> Observation:
        return evolve(observation, origin=observation.project)


@MUTANTS.add("a merge loses code changes", trips={"a_merge_moves_memories"})
class LosesChanges(Merging):
    def arrived(self, observation: Observation, _: str) -> Observation:
        return evolve(observation, changes=())


@MUTANTS.add(
    "a merge leaves purged ones behind", trips={"a_merge_moves_purged_ones_too", "a_split_keeps_the_present_state"}
)
class LeavesPurged(Merging):
    def moving(self, rows: list[Row]) -> list[Row]:
        return [row for row in rows if not row.observation.purged]


@MUTANTS.add(
    "a merge revives purged ones", trips={"a_merge_moves_purged_ones_too", "a_split_keeps_the_present_state"}
)
class RevivesPurged(Merging):
    def arrived(self, observation: Observation, _: str) -> Observation:
        return evolve(observation, purged_at=None)


@MUTANTS.add("a merge loses requests", trips={"merged_requests_are_still_known"})
class LosesRequests(Merging):
    def moving(self, rows: list[Row]) -> list[Row]:
        for row in rows:
            row.request, row.fingerprint = None, b""
        return rows


@MUTANTS.add("merged projects are not listed", trips={"a_merged_project_stays_in_the_list"})
class DeletesTheOld(InMemoryRegistry):
    """Leaves merged projects out of the list."""

    def all(self) -> tuple[Project, ...]:
        return tuple(each for each in super().all() if each.moved_to is None)

    def named(self, asked: str) -> Project:
        known = [each for each in self.projects.values() if asked in (each.id, each.name, *each.aliases)]
        return self.catalogue.home(known[0].id) if known and known[0].moved_to else super().named(asked)


@MUTANTS.add(
    "open scopes don't follow a merge", trips={"merges_are_followed_all_the_way", "open_scopes_follow_a_merge"}
)
class ScopesStay(BrokenStorage):
    """Scopes that were opened before a merge go on with the shelf that they had."""

    def observations(self, project: str) -> InMemoryObservations:
        return InMemoryObservations(project, StayingHome(self.registry, *self.registry.home(project)))

    def search(self, project: str) -> InMemorySearch:
        return InMemorySearch(self.observations(project))


class StayingHome:
    """Registry in which a scope keeps the shelf that its project once had."""

    def __init__(self, registry: InMemoryRegistry, id: str, shelf: Shelf) -> None:
        self.lock, self.shelves, self.projects = registry.lock, registry.shelves, registry.projects
        self.at_first = (id, shelf)

    def home(self, project: str) -> tuple[str, Shelf]:
        del project
        return self.at_first


@MUTANTS.add(
    "merged memories are not indexed",
    trips={
        "a_merge_makes_contexts_anew",
        "merged_memories_are_found",
        "open_scopes_follow_a_merge",
        "a_split_keeps_the_present_state",
        "a_merge_moves_purged_ones_too",
    },
)
class MergedAreUnindexed(InMemorySearch):
    """Finds by text only what was saved here."""

    def _ranked(self, words: Any, candidates: Any, filters: Any) -> Any:
        return super()._ranked(words, [each for each in candidates if each.origin == each.project], filters)


@MUTANTS.add("a repeated merge moves again", trips={"merging_again_is_harmless"})
class CopiesAgain(InMemoryRegistry):
    def merge(self, old: str, new: str, *, by: Signature) -> int:
        again = self.projects[old].moved_to is not None if old in self.projects else False
        return super().merge(old, new, by=by) or (len(self.shelves[new].rows) if again else 0)


@MUTANTS.add("a merge can't be repeated", trips={"merging_again_is_harmless", HISTORY})
class RefusesToRepeat(InMemoryRegistry):
    def merge(self, old: str, new: str, *, by: Signature) -> int:
        if self.known(old).moved_to is not None:
            raise ProjectChangeError(reason="merged already")
        return super().merge(old, new, by=by)


@MUTANTS.add(
    "a split takes all",
    trips={
        "a_split_makes_contexts_anew",
        "statistics_forget_what_moved_away",
        "a_split_gives_back_what_came",
        "a_split_leaves_what_was_saved_since",
        "a_split_takes_along_what_was_merged_before",
    },
)
class SplitTakesAll(InMemoryRegistry):
    def split(self, old: str, *, by: Signature) -> int:
        holder = self.shelves[self.catalogue.merged_into(old).id]
        moved = super().split(old, by=by)
        return moved + (self._move(holder, old, list(holder.rows.values())) if moved else 0)


@MUTANTS.add("a split revives purged ones", trips={"a_split_keeps_the_present_state"})
class SplitRevives(Merging):
    def split(self, old: str, *, by: Signature) -> int:
        moved = super().split(old, by=by)
        for row in self.shelves[old].rows.values():
            row.observation = evolve(row.observation, purged_at=None)
        return moved


@MUTANTS.add("a split place leads to the new project", trips={"a_split_project_is_itself_again"})
class SplitsRowsOnly(InMemoryRegistry):
    """Moves rows back, while the old location still leads to the new project."""

    def at(self, location: Location, *, now: datetime) -> Project:
        found = super().at(location, now=now)
        return self.projects.get(self.was.get(found.id, ""), found)

    def __init__(self) -> None:
        super().__init__()
        self.was: dict[str, str] = {}

    def split(self, old: str, *, by: Signature) -> int:
        self.was[old] = self.catalogue.merged_into(old).id
        return super().split(old, by=by)


@MUTANTS.add("a split leaves those who came through", trips={"a_split_takes_along_what_was_merged_before"})
class LeavesThoseWhoCameThrough(InMemoryRegistry):
    def split(self, old: str, *, by: Signature) -> int:
        holder = self.catalogue.merged_into(old).id
        moved = super().split(old, by=by)
        rows = [row for row in self.shelves[old].rows.values() if row.observation.origin != old]
        return moved - self._move(self.shelves[old], holder, rows)
