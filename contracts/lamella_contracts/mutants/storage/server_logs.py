"""Faults that come with a database server in the log of activity."""

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import evolve

from lamella.ports.storage.activity import Activity
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_contracts.mutants.broken_storage import Mutant


class LogByLocale(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(sorted(super().since(moment), key=lambda each: (each.at, each.name.swapcase())))


class CutsNames(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        super().add([evolve(each, name=each.name[:255]) for each in entries])


class SinceWithoutZone(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return super().since(moment.replace(tzinfo=UTC))


ACTIVITY = (
    Mutant(fault="activity is listed without case", activity=LogByLocale, trips={"activity_is_told_oldest_first"}),
    Mutant(fault="names of activity are cut", activity=CutsNames, trips={"long_names_of_activity_are_told_apart"}),
    Mutant(fault="activity has no zone", activity=SinceWithoutZone, trips={"activity_is_told_oldest_first"}),
)
