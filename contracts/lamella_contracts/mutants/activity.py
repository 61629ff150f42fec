"""Faults in the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import define, evolve

from lamella.ports.storage.activity import Activity, ActivityKind, ActivityLog
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import activity as memory
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.observations import Shelf
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.contracts import ActivityLogContract
from lamella_contracts.mutants.broken_storage import BrokenStorage, DurableStorage, Mutant, changed, without
from lamella_contracts.mutants.fault import naming_clauses


class Forgetful(DurableStorage):
    """Says that it keeps things, and begins anew each time."""

    def restarted(self) -> None:
        self.registry = self.mutant.registry()


class AnyProject(BrokenStorage):
    def activity(self, project: str) -> ActivityLog:
        first = next(iter(self.registry.projects), project)
        return super().activity(first if project not in self.registry.projects else project)


class KeepsErased(BrokenStorage):
    def conversations(self, project: str) -> Conversations:
        kept = dict(self.registry.home(project)[1].activity)

        class Keeping(InMemoryConversations):
            def erase(self, session: str) -> int:
                erased = super().erase(session)
                self.storage.home(self.project)[1].activity.update(kept)
                return erased

        return Keeping(project, self.registry)


class ErasesAll(BrokenStorage):
    def conversations(self, project: str) -> Conversations:
        class Erasing(InMemoryConversations):
            def erase(self, session: str) -> int:
                self.storage.home(self.project)[1].activity.clear()
                return super().erase(session)

        return Erasing(project, self.registry)


class LosesTheKind(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([evolve(each, kind=ActivityKind.INJECTED) for each in entries])


class TellsInOrderOfAdding(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        kept = self.observations.shelf.activity.values()
        return tuple(each for _, each in kept if each.at >= moment)


class TellsWhatIsLater(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(each for each in super().since(moment) if each.at > moment)


class Replaces(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        for each in entries:
            self.observations.shelf.activity.pop(each.name, None)
        super().add(entries)


class CountsTwice(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        known = self.observations.shelf.activity
        super().add([evolve(each, name=f"{each.name} again") if each.name in known else each for each in entries])


class KeepsAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        with changed(memory, KEPT_FOR=timedelta(days=10_000)):
            super().add(entries)


class CountsAgeFromTheLatestOfAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([*entries, *(each for _, each in self.observations.shelf.activity.values())])


@define(eq=False)
class OneLog(InMemoryRegistry):
    """All projects share one log."""

    def home(self, project: str) -> tuple[str, Shelf]:
        id, shelf = super().home(project)
        shelf.activity = next(iter(self.shelves.values())).activity
        return id, shelf


@define(eq=False)
class StaysBehind(InMemoryRegistry):
    def merge(self, old: str, new: str) -> int:
        log, self.shelves[old].activity = self.shelves[old].activity, {}
        moved = super().merge(old, new)
        self.shelves[old].activity = log
        return moved


@define(eq=False)
class StaysMerged(InMemoryRegistry):
    def split(self, old: str) -> int:
        shelf = self.home(old)[1]
        log, shelf.activity = shelf.activity, {}
        moved = super().split(old)
        shelf.activity = log
        return moved


@define(eq=False)
class TakesAll(InMemoryRegistry):
    def split(self, old: str) -> int:
        log = self.home(old)[1].activity
        moved = super().split(old)
        self.shelves[old].activity |= log
        log.clear()
        return moved


MUTANTS = (
    Mutant(
        fault="activity is not declared",
        refuses=True,
        storage=without(Capability.ACTIVITY),
        trips=naming_clauses(ActivityLogContract),
    ),
    Mutant(fault="the kind is lost", activity=LosesTheKind, trips={"activity_is_told_oldest_first"}),
    Mutant(
        fault="the order is that of adding",
        activity=TellsInOrderOfAdding,
        trips={"activity_is_told_oldest_first", "old_activity_goes_when_more_is_added"},
    ),
    Mutant(
        fault="only what is later is told",
        activity=TellsWhatIsLater,
        trips=naming_clauses(ActivityLogContract)
        - {"old_activity_goes_when_more_is_added", "activity_survives_a_restart"},
    ),
    Mutant(
        fault="what is known is replaced",
        activity=Replaces,
        trips={"a_known_name_is_passed_over"},
    ),
    Mutant(
        fault="what is known counts twice",
        activity=CountsTwice,
        trips={"long_names_of_activity_are_told_apart", "a_known_name_is_passed_over"},
    ),
    Mutant(fault="nothing goes", activity=KeepsAll, trips={"old_activity_goes_when_more_is_added"}),
    Mutant(
        fault="a clock that was ahead decides",
        activity=CountsAgeFromTheLatestOfAll,
        trips={"old_activity_goes_when_more_is_added"},
    ),
    Mutant(
        fault="projects share a log",
        registry=OneLog,
        trips={"each_project_has_its_own_activity", "activity_moves_with_its_project"},
    ),
    Mutant(
        fault="an unknown project is another one",
        storage=AnyProject,
        trips={"each_project_has_its_own_activity"},
    ),
    Mutant(fault="a merge leaves it behind", registry=StaysBehind, trips={"activity_moves_with_its_project"}),
    Mutant(fault="a split leaves it behind", registry=StaysMerged, trips={"activity_moves_with_its_project"}),
    Mutant(
        fault="a split takes all",
        registry=TakesAll,
        trips={
            "activity_moves_with_its_project",
        },
    ),
    Mutant(
        fault="an erased session is still told",
        storage=KeepsErased,
        trips={"erasing_a_session_erases_its_activity"},
    ),
    Mutant(
        fault="erasing a session erases all",
        storage=ErasesAll,
        trips={"erasing_a_session_erases_its_activity"},
    ),
    Mutant(fault="each opening begins anew", storage=Forgetful, trips={"activity_survives_a_restart"}),
)
