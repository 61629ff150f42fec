"""Ledger of one project, in its file."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from attrs import define

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.file_change import FileChange, Removal, removals
from lamella.domain.ledger.merge_edits import joined
from lamella.domain.memories.observation import CodeChange, Kind, Observation
from lamella.domain.text.keys import stored_key
from lamella.domain.text.marks import text_mark
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.ledger.queries import Entry, changes_below, file_names, touching
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import code_change_rows, observation_rows
from lamella_adapters.sqlite.tables.context_column import refresh_around
from lamella_adapters.sqlite.tables.index_segments import merge_after_ageing
from lamella_adapters.sqlite.tables.short_ids import short_ids

_LATEST = """
seq = (SELECT o.seq FROM code_change AS c JOIN observation AS o USING (seq)
   WHERE path = ? AND purged_at IS NULL ORDER BY moment DESC, o.seq DESC LIMIT 1)
"""

_UNAGED = "kind = 'change' AND source IN ('edit', 'command') AND aged IS NULL AND moment < ?"
_ANY_TO_AGE = f"SELECT 1 FROM observation WHERE {_UNAGED} LIMIT 1"  # noqa: S608 - made of our own constants
_TO_AGE = f"{_UNAGED} ORDER BY moment LIMIT ?"


@define(eq=False)
class SqliteLedger(CodeLedger):
    """Changes of the files of one project, and the fingerprints of their lines."""

    scope: Scope

    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """See `CodeLedger.record`."""
        with self.scope.writing() as opened:
            return tuple(_record(opened, capture) for capture in captures)

    def known(self, requests: Collection[str]) -> frozenset[str]:
        """See `CodeLedger.known`."""
        with self.scope.reading() as opened:
            known = code_change_rows.recorded_requests(opened.connection, set(map(stored_key, requests)))
        return frozenset(request for request in requests if stored_key(request) in known)

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

    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as opened:
            asked = frozenset(fingerprints)
            found = list(touching(opened.connection, well_formed(path), asked))
            changes = _file_changes(opened, [row for row, _ in found])
            return removals(zip(changes, (lines for _, lines in found), strict=True), asked)

    def age(self, before: datetime, *, limit: int) -> bool:
        """See `CodeLedger.age`."""
        at = observation_rows.to_microseconds(before)
        with self.scope.reading() as opened:
            if not fetch(opened.connection, _ANY_TO_AGE, (at,)):
                return False
        with self.scope.writing() as opened:
            connection = opened.connection
            found = observation_rows.observations_where(connection, opened.project, _TO_AGE, (at, limit))
            observation_rows.age(connection, {each: aged(each) for each in found})
            for each in found:
                refresh_around(connection, each.sequence)
            more = len(found) == limit
            merge_after_ageing(connection, len(found), more=more)
        return more

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        report = "INSERT OR IGNORE INTO told_removal SELECT seq, ? FROM observation WHERE id = ?"
        place = text_mark(stored_key(session), removal.path)
        with self.scope.writing() as opened:
            opened.connection.execute(report, (place, removal.observation.bytes))
            return opened.connection.changes() > 0


def _file_changes(opened: Opened, rows: Sequence[Entry]) -> tuple[FileChange, ...]:
    ids = short_ids(opened.connection, [row.id for row in rows])
    return tuple(
        FileChange(
            observation=UUID(bytes=row.id),
            short_id=short_id,
            at=observation_rows.from_microseconds(row.occurred_at),
            kind=Kind(row.kind),
            session=row.session,
            title=row.title,
            source=row.source,
            change=CodeChange(path=row.path, former=row.former, additions=row.additions, deletions=row.deletions),
        )
        for row, short_id in zip(rows, ids, strict=True)
    )


def _record(opened: Opened, capture: Capture) -> Recorded:
    connection, draft, request = opened.connection, capture.draft, capture.draft.request
    if request is not None and not code_change_rows.remember_request(connection, request, opened.project):
        return Recorded.KNOWN
    for older in _latest(opened, draft.changes):
        if (whole := joined(older, draft, capture.at, capture.asked)) is not None:
            observation_rows.amend(connection, whole)
            refresh_around(connection, whole.sequence)
            return Recorded.JOINED
    observation = observation_rows.insert(
        connection,
        draft,
        id=capture.id,
        project=opened.project,
        now=capture.at,
        fingerprint=draft.fingerprint,
        request=request,
    )
    refresh_around(connection, observation.sequence)
    return Recorded.NEW


def _latest(opened: Opened, changes: Sequence[CodeChange]) -> tuple[Observation, ...]:
    """Return the latest observation that changed the file of `changes`, if they are of one file only."""
    if len(changes) != 1:
        return ()
    path = changes[0].path
    return observation_rows.observations_where(opened.connection, opened.project, _LATEST, (path,))
