"""The log of activity of one project, in a dictionary."""

from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityLog
from lamella_adapters.memory.observations import Beside


@define(eq=False)
class InMemoryActivity(Beside, ActivityLog):
    """Log of hook activity in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.observations.lock:
            found = [each for _, each in self.observations.data.activity.values() if each.at >= moment]
        return tuple(sorted(found, key=lambda each: (each.at, each.name)))
