"""The log of activity of one project, in a dictionary."""

from datetime import UTC, datetime

from attrs import define

from lamella.ports.storage.activity import Activity, ActivityLog
from lamella_adapters.memory.observations import Beside


@define(eq=False)
class InMemoryActivity(Beside, ActivityLog):
    """Activity of hooks in one project."""

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.observations.lock:
            found = [each for _, each in self.observations.data.activity.values() if each.at >= moment]
        return tuple(sorted(found, key=lambda each: (each.at, each.name)))

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """See `ActivityLog.warnings`."""
        found = [each for each in self.since(datetime.min.replace(tzinfo=UTC)) if each.edit]
        return tuple(each for each in reversed(found) if name in (None, each.name))[skip : skip + limit]
