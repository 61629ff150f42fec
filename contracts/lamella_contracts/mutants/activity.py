"""Faults in the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lamella.domain.transactions import auditing
from lamella.ports.storage.activity import Activity, ActivityTotals
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_contracts.mutants.broken_storage import changed, losing, storage_mutants

MUTANTS = storage_mutants()


MUTANTS.add("activity is kept in memory only")(losing("activity"))


@MUTANTS.add("since excludes its own moment")
class TellsWhatIsLater(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(each for each in super().since(moment) if each.at > moment)


@MUTANTS.add("old activity is never deleted")
class KeepsAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        with changed(auditing, KEPT_FOR=timedelta(days=10_000)):
            super().add(entries)


@MUTANTS.add("what was skipped counts as given")
class CountsAll(InMemoryActivity):
    def totals(self, since: datetime) -> ActivityTotals:
        return super().totals(since)._replace(times=len(self.since(since)))


@MUTANTS.add("a young log is taken for a full one")
class TrustsAYoungLog(InMemoryActivity):
    def used(self, since: datetime, *, recorded: datetime) -> frozenset[str] | None:
        return super().used(since, recorded=recorded) or frozenset()


@MUTANTS.add("warnings are told oldest first")
class OldestWarningsFirst(InMemoryActivity):
    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        return super().warnings(limit=limit, skip=skip, name=name)[::-1]
