"""Activity log of one project, in its file."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define

from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityLog
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables.observation_rows import structured, to_microseconds

_ADD = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_FIELDS = ("name", "at", "kind", "session", "about", "tokens", "memories")
_SINCE = f"SELECT {', '.join(_FIELDS)} FROM activity WHERE at >= ? ORDER BY at, name"  # noqa: S608 - made of our own constants


@define(eq=False)
class SqliteActivity(ActivityLog):
    """Activity of hooks and tools in one project."""

    scope: Scope

    def add(self, entries: Sequence[Activity]) -> None:
        """See `ActivityLog.add`."""
        if not entries:
            return
        oldest = max(each.at for each in entries) - KEPT_FOR
        with self.scope.writing() as opened:
            project = opened.project
            rows = [
                (each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens)
                for each in entries
            ]
            shown = ["".join(f"{id} " for id in each.memories) for each in entries]
            opened.connection.executemany(
                _ADD, ((*row, project, ids) for row, ids in zip(rows, shown, strict=True))
            )
            opened.connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(oldest),))

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as opened:
            found = fetch(opened.connection, _SINCE, (to_microseconds(moment),))
        rows = ((*fields, tuple(memories.split())) for *fields, memories in found)
        return structured(Activity, (dict(zip(_FIELDS, row, strict=True)) for row in rows))
