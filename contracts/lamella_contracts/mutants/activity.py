"""Faults in the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lamella.domain.transactions import logging
from lamella.ports.storage.activity import Activity, ActivityTotals
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_contracts.mutants.broken_storage import DurableStorage, changed, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add("activity is kept in memory only", "activity_survives_a_restart")
class Forgetful(DurableStorage):
    """Declares durability, but starts empty after a restart."""

    def restarted(self) -> None:
        self.registry = self.parts.registry()


@MUTANTS.add(
    "since excludes its own moment",
    "a_known_name_is_passed_over",
    "activity_is_told_oldest_first",
    "activity_moves_with_its_project",
    "each_project_has_its_own_activity",
    "erased_memories_leave_the_activity",
    "erasing_a_session_erases_its_activity",
)
class TellsWhatIsLater(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(each for each in super().since(moment) if each.at > moment)


@MUTANTS.add("old activity is never deleted", "old_activity_goes_when_more_is_added")
class KeepsAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        with changed(logging, KEPT_FOR=timedelta(days=10_000)):
            super().add(entries)


@MUTANTS.add("what was skipped counts as given", "what_was_given_is_counted")
class CountsAll(InMemoryActivity):
    def totals(self, since: datetime) -> ActivityTotals:
        return super().totals(since)._replace(times=len(self.since(since)))


@MUTANTS.add("a young log is taken for a full one", "used_memories_are_known_if_the_log_is_old_enough")
class TrustsAYoungLog(InMemoryActivity):
    def used(self, since: datetime, *, recorded: datetime) -> frozenset[str] | None:
        return super().used(since, recorded=recorded) or frozenset()


@MUTANTS.add("warnings are told oldest first", "warnings_are_found_latest_first")
class OldestWarningsFirst(InMemoryActivity):
    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        return super().warnings(limit=limit, skip=skip, name=name)[::-1]
