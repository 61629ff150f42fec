"""Ledger of one project, in its file."""

from collections.abc import Collection, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.ledger.file_change import FileChange, FileTally, Removal, removals
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import CodeLedger
from lamella_adapters.sqlite.ledger.queries import SQL, ChangeRow, changes_below, file_names, touching
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds
from lamella_adapters.sqlite.tables.short_ids import short_ids
from lamella_adapters.sqlite.transaction import InTransactions


@define(eq=False)
class SqliteLedger(InTransactions, CodeLedger):
    """File changes of one project, with the fingerprints of added and removed lines."""

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        with self.scope.reading() as opened:
            names = file_names(opened.connection, well_formed(path))
            return tuple(dict.fromkeys(name for name, _ in names))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.scope.reading() as opened:
            changes = changes_below(opened.connection, well_formed(path), limit)
            return _file_changes(opened, changes)

    def files(self, *, limit: int) -> tuple[FileTally, ...]:
        """See `CodeLedger.files`."""
        with self.scope.reading() as opened:
            rows = opened.connection.execute(SQL["files"], (limit,)).fetchall()
        return tuple(FileTally(path, count, from_microseconds(latest)) for path, count, latest in rows)

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as opened:
            asked = frozenset(fingerprints)
            found = list(touching(opened.connection, well_formed(path), asked))
            changes = _file_changes(opened, [row for row, _ in found])
            return removals(zip(changes, (lines for _, lines in found), strict=True), asked)


def _file_changes(opened: Opened, rows: Sequence[ChangeRow]) -> tuple[FileChange, ...]:
    ids = short_ids(opened.connection, [row.id for row in rows])
    return tuple(
        FileChange(
            observation=UUID(bytes=row.id),
            short_id=short_id,
            at=from_microseconds(row.occurred_at),
            kind=Kind(row.kind),
            session=row.session,
            title=row.title,
            source=row.source,
            change=CodeChange(path=row.path, former=row.former, additions=row.additions, deletions=row.deletions),
        )
        for row, short_id in zip(rows, ids, strict=True)
    )
