"""Ledger of one project."""

from collections.abc import Collection

from attrs import define

from lamella.domain.ledger.file_change import FileChange, FileTally, Removal, removals
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import CodeLedger
from lamella_adapters.postgresql.database.columns import from_microseconds
from lamella_adapters.postgresql.ledger.queries import SQL, changes_below, file_changes, file_names
from lamella_adapters.postgresql.transaction import InTransactions


@define(eq=False)
class PostgresLedger(InTransactions, CodeLedger):
    """File changes of one project, with the fingerprints of added and removed lines."""

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        with self.scope.reading() as tx:
            return tuple(dict.fromkeys(name for name, _ in file_names(tx, well_formed(path))))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.scope.reading() as tx:
            return tuple(each.change for each in changes_below(tx, well_formed(path), limit))

    def files(self, *, limit: int) -> tuple[FileTally, ...]:
        """See `CodeLedger.files`."""
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["files"], limit=limit, last=True)
        return tuple(FileTally(path, count, from_microseconds(latest)) for path, count, latest in rows)

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as tx:
            found = file_changes(tx, well_formed(path))
        return removals(((each.change, each.lines) for each in found), frozenset(fingerprints))
