"""Faults in which project has an entry, also after projects were merged or split."""

from collections.abc import Callable, Collection
from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.signature import Signature
from lamella.ports.storage.audit import AuditTrail
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutants

MUTANTS = Mutants()
MOVES, OWN = "the_trail_moves_with_its_project", "each_project_has_its_own_trail"
ERASED_THERE = "what_is_erased_leaves_the_trails_of_other_projects"


@MUTANTS.add("projects share a trail", trips={"entries_come_back_as_given_newest_first", OWN, MOVES})
@define(eq=False)
class OneTrail(InMemoryRegistry):
    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.audit = next(iter(self.shelves.values())).audit
        return id, shelf


@MUTANTS.add("any project has a trail", trips={OWN})
class AnyProject(BrokenStorage):
    def audit(self, project: str) -> AuditTrail:
        return super().audit(project if project in self.registry.projects else next(iter(self.registry.projects)))


class Moving(InMemoryRegistry):
    """Moves entries by a rule of its own."""

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        before = self._trail(old)
        moved = super().merge(old, new, by=by)
        self.after_merge(old, new, before)
        return moved

    def split(self, old: str, *, by: Signature) -> int:
        new = self.home(old)[0]
        before = self._trail(new)
        moved = super().split(old, by=by)
        self.after_split(old, new, before)
        return moved

    def after_merge(self, old: str, new: str, before: Collection[UUID]) -> None:
        """Change the trails after a merge."""

    def after_split(self, old: str, new: str, before: Collection[UUID]) -> None:
        """Change the trails after a split."""

    def _trail(self, project: str) -> Collection[UUID]:
        return set(self.shelves[project].audit)

    def drop(self, project: str, drops: Callable[[Entry], bool]) -> None:
        """Drop entries of a trail."""
        trail = self.shelves[project].audit
        for id in [id for id, (_, entry) in trail.items() if drops(entry)]:
            del trail[id]


@MUTANTS.add("a merge leaves the trail behind", trips={MOVES, ERASED_THERE})
class LeavesBehind(Moving):
    def after_merge(self, old: str, new: str, before: Collection[UUID]) -> None:
        del old
        self.drop(new, lambda entry: entry.id in before or entry.action is Action.MERGE)


@MUTANTS.add("a merge has no entry", trips={MOVES, ERASED_THERE})
class MergesUnseen(Moving):
    def after_merge(self, old: str, new: str, before: Collection[UUID]) -> None:
        del old, before
        self.drop(new, lambda entry: entry.action is Action.MERGE)


@MUTANTS.add("a split has no entry where it came from", trips={MOVES, ERASED_THERE})
class SplitsUnseen(Moving):
    def after_split(self, old: str, new: str, before: Collection[UUID]) -> None:
        del old
        self.drop(new, lambda entry: entry.id not in before)


@MUTANTS.add("a split takes the entry of the merge along", trips={MOVES, ERASED_THERE})
class TakesTheMerge(Moving):
    def after_split(self, old: str, new: str, before: Collection[UUID]) -> None:
        del old, before
        self.drop(new, lambda entry: entry.action is Action.MERGE)
