"""The ledger of one project, in its file."""

from collections.abc import Collection, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.changes import joined
from lamella.domain.ledger import FileChange, Removal, removals
from lamella.domain.observation import CodeChange, Kind, Observation
from lamella.domain.text import well_formed
from lamella.ports.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.sqlite import ledger_reading, ledger_rows, rows
from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.contexts import refresh_around, refresh_followers
from lamella_adapters.sqlite.scope import Opened, Scope

_LATEST = """
 WHERE seq = (SELECT o.seq FROM code_change AS c JOIN observation AS o USING (seq)
   WHERE path = ? AND purged_at IS NULL ORDER BY moment DESC, o.seq DESC LIMIT 1)
"""


@define(eq=False)
class SqliteLedger(CodeLedger):
    """What came and went in the files of one project."""

    scope: Scope

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """See `CodeLedger.record`."""
        with self.scope.writing() as opened:
            return tuple(_record(opened, capture) for capture in captures)

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        with self.scope.reading() as opened:
            return frozenset(ledger_rows.remembered(opened.connection, requests))

    def names(self, path: str) -> tuple[str, ...]:
        """See `CodeLedger.names`."""
        with self.scope.reading() as opened:
            names = ledger_reading.names(opened.connection, well_formed(path))
            return tuple(dict.fromkeys(name for name, _ in names))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.scope.reading() as opened:
            changes = ledger_reading.changes(opened.connection, well_formed(path), with_lines=False)
            return tuple(map(_entry, changes[:limit]))

    def removals(self, path: str, marks: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as opened:
            asked = frozenset(marks)
            touched = ledger_reading.touched(opened.connection, well_formed(path), asked)
            return removals(((_entry(row), lines) for row, lines in touched), asked)

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        told = "INSERT OR IGNORE INTO told_removal SELECT seq, ? FROM observation WHERE id = ?"
        mark = ledger_rows.mark(well_formed(session), removal.path)
        with self.scope.writing() as opened:
            opened.connection.execute(told, (mark, removal.observation.bytes))
            return opened.connection.changes() > 0


def _entry(row: ledger_reading.Entry) -> FileChange:
    return FileChange(
        observation=UUID(bytes=row.id),
        at=rows.from_microseconds(row.moment),
        kind=Kind(row.kind),
        session=row.session,
        title=row.title,
        source=row.source,
        change=CodeChange(path=row.path, former=row.former, additions=row.additions, deletions=row.deletions),
    )


def _record(opened: Opened, capture: Capture) -> Recorded:
    connection, draft = opened.connection, capture.draft
    if draft.request is not None and not ledger_rows.remember(connection, draft.request, opened.project):
        return Recorded.KNOWN
    for older in _latest(opened, draft.changes):
        if (whole := joined(older, draft, capture.at, capture.asked)) is not None:
            rows.amend(connection, whole)
            refresh_followers(connection, whole.session, rows.to_microseconds(whole.moment), whole.sequence)
            return Recorded.JOINED
    observation = rows.insert(
        connection,
        draft,
        id=capture.id,
        project=opened.project,
        now=capture.at,
        moment=rows.to_microseconds(capture.at),
        fingerprint=draft.fingerprint,
        request=None,
        context="",
    )
    refresh_around(connection, observation.sequence)
    return Recorded.NEW


def _latest(opened: Opened, changes: Sequence[CodeChange]) -> tuple[Observation, ...]:
    """The latest observation that changed the one file of `changes`."""
    if len(changes) != 1:
        return ()
    found = fetch(opened.connection, rows.SELECT + _LATEST, (changes[0].path,))
    return rows.observations(opened.connection, opened.project, found)
