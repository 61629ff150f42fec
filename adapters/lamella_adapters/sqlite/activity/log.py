"""Activity log of one project, in its file."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import define

from lamella.ports.storage.activity import KEPT_FOR, Activity, ActivityLog
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables.observation_rows import structured, to_microseconds

_ADD = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_FIELDS = ("name", "at", "kind", "session", "about", "tokens")
# A file of an earlier version that can't be written has no `memories`, the last column, after `origin`.
_SINCE = "SELECT * FROM activity WHERE at >= ? ORDER BY at, name"


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
            shown = ["".join(f"{id} " for id in each.memories) or None for each in entries]
            opened.connection.executemany(
                _ADD, ((*row, project, ids) for row, ids in zip(rows, shown, strict=True))
            )
            opened.connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(oldest),))

    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """See `ActivityLog.since`."""
        with self.scope.reading() as opened:
            found = fetch(opened.connection, _SINCE, (to_microseconds(moment),))
        return structured(Activity, map(_fields, found))


def _fields(row: Sequence[Any]) -> Mapping[str, object]:
    *fields, _ = row[: len(_FIELDS) + 1]
    memories = row[len(_FIELDS) + 1 :]
    return {**dict(zip(_FIELDS, fields, strict=True)), "memories": tuple("".join(filter(None, memories)).split())}
