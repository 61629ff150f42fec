"""The log of activity of one project, in a dictionary."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityLog
from lamella_adapters.memory.observations import InMemoryObservations


@define(eq=False)
class InMemoryActivity(ActivityLog):
    """Activity of hooks in one project."""

    observations: InMemoryObservations

    def add(self, entries: Sequence[Activity]) -> None:
        """See `ActivityLog.add`."""
        if not entries:
            return
        oldest = max(each.at for each in entries) - KEPT_FOR
        with self.observations.lock:
            project, shelf = self.observations.storage.home(self.observations.project)
            for each in entries:
                shelf.activity.setdefault(each.name, (project, each))
            for name in [name for name, (_, each) in shelf.activity.items() if each.at < oldest]:
                del shelf.activity[name]

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.observations.lock:
            found = [each for _, each in self.observations.shelf.activity.values() if each.at >= moment]
        return tuple(sorted(found, key=lambda each: (each.at, each.name)))
