"""Faults in the log of activity."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lamella.domain.transactions import logging
from lamella.ports.storage.activity import Activity
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_contracts.contracts import ActivityLogContract
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutant, Mutants, changed, without
from lamella_contracts.mutants.fault import naming_clauses

MUTANTS = Mutants()


@MUTANTS.add("each opening begins anew", trips={"activity_survives_a_restart"})
class Forgetful(DurableStorage):
    """Says that it keeps things, and begins anew each time."""

    def restarted(self) -> None:
        self.registry = self.mutant.registry()


@MUTANTS.add(
    "only what is later is told",
    trips=naming_clauses(ActivityLogContract)
    - {"old_activity_goes_when_more_is_added", "activity_survives_a_restart"},
)
class TellsWhatIsLater(InMemoryActivity):
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        return tuple(each for each in super().since(moment) if each.at > moment)


@MUTANTS.add("nothing goes", trips={"old_activity_goes_when_more_is_added"})
class KeepsAll(InMemoryActivity):
    def add(self, entries: Sequence[Activity]) -> None:
        with changed(logging, KEPT_FOR=timedelta(days=10_000)):
            super().add(entries)


MUTANTS += (
    Mutant(
        fault="activity is not declared",
        refuses=True,
        storage=without(Capability.ACTIVITY),
        trips=naming_clauses(ActivityLogContract),
    ),
)
