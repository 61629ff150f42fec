"""Ledger of one project."""

from collections.abc import Collection, Sequence
from datetime import datetime

from attrs import define, frozen

from lamella.domain.ledger.file_change import FileChange, FileTally, Removal, TimelinePosition, removals
from lamella.domain.ledger.fingerprints import LineFingerprints, unpacked
from lamella.domain.ledger.reintroduction import names_over_time
from lamella.domain.memories.ids import shortest
from lamella.domain.memories.observation import CodeChange, Kind
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import CodeLedger
from lamella_adapters.postgresql.database.columns import from_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.tables.observation_rows import BESIDE, PATH_KEY_CHARACTERS
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__, beside=BESIDE)

Names = Sequence[tuple[str, TimelinePosition | None]]
"""Names of a file, latest first. Each has the timeline position of the rename from this name to the next."""

_NAMED, _BELOW = (SQL["changes"].format(condition=SQL[each]) for each in ("named", "below"))


@frozen
class ChangeRow:
    """Change of a file, with its position in the timeline and the fingerprints of its lines."""

    change: FileChange
    place: tuple[TimelinePosition, int]
    lines: LineFingerprints

    @classmethod
    def of(cls, row: Row) -> "ChangeRow":
        """Convert a row of the statement `changes`."""
        id, before, after, moment, seq, place, kind, session, title, source, _, change, came, went = row
        at: datetime = from_microseconds(moment)
        entry = FileChange(
            observation=id,
            short_id=shortest(id.hex, [each.hex for each in (before, after) if each is not None]),
            at=at,
            kind=Kind(kind),
            session=session,
            title=title,
            source=source,
            change=CodeChange(**change),
        )
        lines = LineFingerprints(added=unpacked(came), removed=unpacked(went))
        return cls(entry, (TimelinePosition(at, seq), place), lines)


def file_names(tx: Transaction, path: str) -> Names:
    """Return the current and all former names of the file at `path`."""
    renames = [
        (name, former, TimelinePosition(from_microseconds(moment), seq))
        for name, former, moment, seq in tx.rows(SQL["renames"], path=path, characters=PATH_KEY_CHARACTERS)
    ]

    def rename(name: str, before: TimelinePosition | None) -> tuple[str, TimelinePosition] | None:
        earlier = (
            (former, place)
            for path, former, place in renames
            if path == name and (before is None or place < before)
        )
        return next(earlier, None)

    return names_over_time(path, rename)


def file_changes(tx: Transaction, path: str) -> list[ChangeRow]:
    """Return all changes of a file under its current and former names, latest first."""
    names = file_names(tx, path)
    rows = tx.rows(
        _NAMED,
        names=[name for name, _ in names],
        keys=[name[:PATH_KEY_CHARACTERS] for name, _ in names],
        limit=None,
    )
    return [each for each in map(ChangeRow.of, rows) if _is_of(each, names)]


def changes_below(tx: Transaction, path: str, limit: int) -> list[ChangeRow]:
    """Return the latest changes of a file, or of all files below a folder, latest first."""
    folder = "" if path == "." else f"{path}/"
    rows = tx.rows(_BELOW, every=not folder, folder=folder, key=folder[:PATH_KEY_CHARACTERS], limit=limit)
    found = {each.place: each for each in (*file_changes(tx, path), *map(ChangeRow.of, rows))}
    return sorted(found.values(), key=lambda each: each.place, reverse=True)[:limit]


def _is_of(entry: ChangeRow, names: Names) -> bool:
    place, path = entry.place[0], entry.change.change.path
    return any(path == name and (end is None or place < end) for name, end in names)


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
