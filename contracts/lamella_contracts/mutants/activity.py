"""Faults in the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from attrs import define, evolve

from lamella.domain.audit.signature import Signature
from lamella.ports.storage.activity import Activity, ActivityKind, ActivityLog
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import activity as memory
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.shelf import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.contracts import ActivityLogContract
from lamella_contracts.mutants.broken_storage import (
    BrokenStorage,
    DurableStorage,
    Mutant,
    Mutants,
    changed,
    without,
)
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()


@MUTANTS.add("each opening begins anew", trips={"activity_survives_a_restart"})
class Forgetful(DurableStorage):
    """Says that it keeps things, and begins anew each time."""

    def restarted(self) -> None:
        self.registry = self.mutant.registry()


@MUTANTS.add("an unknown project is another one", trips={"each_project_has_its_own_activity"})
class AnyProject(BrokenStorage):
    def activity(self, project: str) -> ActivityLog:
        first = next(iter(self.registry.projects), project)
        return super().activity(first if project not in self.registry.projects else project)


@MUTANTS.add("an erased session is still told", trips={"erasing_a_session_erases_its_activity"})
class KeepsErased(BrokenStorage):
    def conversations(self, project: str) -> Conversations:
        kept = dict(self.registry.home(project)[1].activity)

        class Keeping(InMemoryConversations):
            def erase(self, session: str) -> int:
                erased = super().erase(session)
                self.observations.shelf.activity.update(kept)
                return erased

        return Keeping(self._scope(project))


@MUTANTS.add("erasing a session erases all", trips={"erasing_a_session_erases_its_activity"})
class ErasesAll(BrokenStorage):
    def conversations(self, project: str) -> Conversations:
        class Erasing(InMemoryConversations):
            def erase(self, session: str) -> int:
                self.observations.shelf.activity.clear()
                return super().erase(session)

        return Erasing(self._scope(project))


@MUTANTS.add("erased memories stay", trips={"erased_memories_leave_the_activity"})
class KeepsShown(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        before = {id: dict(each.activity) for id, each in self.storage.shelves.items()}
        done = super().erase(ids, by=by)
        for id, each in before.items():
            self.storage.shelves[id].activity.update(each)
        return done


@MUTANTS.add("memories are lost", trips={"activity_is_told_oldest_first", "erased_memories_leave_the_activity"})
class LosesTheMemories(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([evolve(each, memories=()) for each in entries])


@MUTANTS.add("the kind is lost", trips={"activity_is_told_oldest_first"})
class LosesTheKind(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([evolve(each, kind=ActivityKind.INJECTED) for each in entries])


@MUTANTS.add(
    "the order is that of adding", trips={"activity_is_told_oldest_first", "old_activity_goes_when_more_is_added"}
)
class TellsInOrderOfAdding(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        kept = self.observations.shelf.activity.values()
        return tuple(each for _, each in kept if each.at >= moment)


@MUTANTS.add(
    "only what is later is told",
    trips=naming_clauses(ActivityLogContract)
    - {"old_activity_goes_when_more_is_added", "activity_survives_a_restart"},
)
class TellsWhatIsLater(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(each for each in super().since(moment) if each.at > moment)


@MUTANTS.add("what is known is replaced", trips={"a_known_name_is_passed_over"})
class Replaces(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        for each in entries:
            self.observations.shelf.activity.pop(each.name, None)
        super().add(entries)


@MUTANTS.add(
    "what is known counts twice", trips={"long_names_of_activity_are_told_apart", "a_known_name_is_passed_over"}
)
class CountsTwice(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        known = self.observations.shelf.activity
        super().add([evolve(each, name=f"{each.name} again") if each.name in known else each for each in entries])


@MUTANTS.add("nothing goes", trips={"old_activity_goes_when_more_is_added"})
class KeepsAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        with changed(memory, KEPT_FOR=timedelta(days=10_000)):
            super().add(entries)


@MUTANTS.add("a clock that was ahead decides", trips={"old_activity_goes_when_more_is_added"})
class CountsAgeFromTheLatestOfAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([*entries, *(each for _, each in self.observations.shelf.activity.values())])


@MUTANTS.add(
    "projects share a log", trips={"each_project_has_its_own_activity", "activity_moves_with_its_project"}
)
@define(eq=False)
class OneLog(InMemoryRegistry):
    """All projects share one log."""

    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.activity = next(iter(self.shelves.values())).activity
        return id, shelf


@MUTANTS.add("a merge leaves it behind", trips={"activity_moves_with_its_project"})
@define(eq=False)
class StaysBehind(InMemoryRegistry):
    def merge(self, old: str, new: str, *, by: Signature) -> int:
        log, self.shelves[old].activity = self.shelves[old].activity, {}
        moved = super().merge(old, new, by=by)
        self.shelves[old].activity = log
        return moved


@MUTANTS.add("a split leaves it behind", trips={"activity_moves_with_its_project"})
@define(eq=False)
class StaysMerged(InMemoryRegistry):
    def split(self, old: str, *, by: Signature) -> int:
        shelf = self.home(old)[1]
        log, shelf.activity = shelf.activity, {}
        moved = super().split(old, by=by)
        shelf.activity = log
        return moved


@MUTANTS.add("a split takes all", trips={"activity_moves_with_its_project"})
@define(eq=False)
class TakesAll(InMemoryRegistry):
    def split(self, old: str, *, by: Signature) -> int:
        log = self.home(old)[1].activity
        moved = super().split(old, by=by)
        self.shelves[old].activity |= log
        log.clear()
        return moved


MUTANTS += (
    Mutant(
        fault="activity is not declared",
        refuses=True,
        storage=without(Capability.ACTIVITY),
        trips=naming_clauses(ActivityLogContract),
    ),
)
