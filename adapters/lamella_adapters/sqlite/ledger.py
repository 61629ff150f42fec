"""The ledger of one project, in its file."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.changes import LineMarks, joined
from lamella.domain.ledger import FileChange, Place, Removal, followed, standing
from lamella.domain.observation import CodeChange, Kind, Observation
from lamella.domain.text import well_formed
from lamella.ports.ledger import Capture, CodeLedger, Recorded
from lamella_adapters.sqlite import ledger_rows, rows
from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.contexts import refresh_around, refresh_followers
from lamella_adapters.sqlite.scope import Opened, Scope

_BEFORE = "(:moment IS NULL OR (o.moment, o.seq) < (:moment, :seq))"
# The condition is our own constant.
_RENAME = f"""
SELECT former, moment, seq FROM code_change AS c JOIN observation AS o USING (seq)
WHERE path = :path AND former <> path AND purged_at IS NULL AND {_BEFORE} ORDER BY moment DESC, seq DESC LIMIT 1
"""  # noqa: S608
_CHANGES = f"""
SELECT o.seq, c.place, id, moment, kind, title, source, path, former, additions, deletions, {{lines}}
FROM code_change AS c JOIN observation AS o USING (seq) LEFT JOIN changed_lines AS l USING (seq, place)
WHERE path = :path AND purged_at IS NULL AND {_BEFORE}
"""  # noqa: S608
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
            return tuple(dict.fromkeys(name for name, _ in names(opened.connection, path)))

    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """See `CodeLedger.history`."""
        with self.scope.reading() as opened:
            return tuple(_entry(row) for row in _changes(opened.connection, path, "NULL, NULL")[:limit])

    def removals(self, path: str, marks: Collection[int]) -> tuple[Removal, ...]:
        """See `CodeLedger.removals`."""
        with self.scope.reading() as opened:
            return removals(opened.connection, path, frozenset(marks))

    def tell(self, session: str, removal: Removal) -> bool:
        """See `CodeLedger.tell`."""
        told = "INSERT OR IGNORE INTO told_removal SELECT seq, ? FROM observation WHERE id = ?"
        mark = ledger_rows.mark(well_formed(session), removal.path)
        with self.scope.writing() as opened:
            opened.connection.execute(told, (mark, removal.observation.bytes))
            return opened.connection.changes() > 0


def removals(connection: apsw.Connection, path: str, marks: frozenset[int]) -> tuple[Removal, ...]:
    """See `CodeLedger.removals`, in a transaction of whoever asks."""
    return standing(_touched(connection, path, marks), marks)


def names(connection: apsw.Connection, path: str) -> tuple[tuple[str, Place | None], ...]:
    """The names of a file, latest first, each with the place in time before which it was its name."""

    def rename(name: str, before: Place | None) -> tuple[str, Place] | None:
        for former, moment, sequence in fetch(connection, _RENAME, _bounds(name, before)):
            return former, Place(rows.from_microseconds(moment), sequence)
        return None

    return followed(well_formed(path), rename)


def _changes(connection: apsw.Connection, path: str, lines: str) -> list[tuple[Any, ...]]:
    """The rows of every change of a file, latest first."""
    statement = _CHANGES.format(lines=lines)
    found = {
        row[:2]: row
        for name, before in names(connection, path)
        for row in fetch(connection, statement, _bounds(name, before))
    }
    return sorted(found.values(), key=_time, reverse=True)


def _touched(
    connection: apsw.Connection, path: str, marks: frozenset[int]
) -> Iterator[tuple[FileChange, LineMarks]]:
    """The changes of a file that have to do with some of `marks`, latest first."""
    for row in _changes(connection, path, "came, went"):
        sequence, place, *_, came, went = row
        if came is None:
            # Saved before there was a ledger.
            lines = ledger_rows.lines_of(connection, sequence)[place]
        else:
            lines = ledger_rows.read_lines(came, went)
        if not (marks.isdisjoint(lines.came) and marks.isdisjoint(lines.went)):
            yield _entry(row), lines


def _bounds(name: str, before: Place | None) -> dict[str, object]:
    moment = None if before is None else rows.to_microseconds(before.moment)
    return {"path": name, "moment": moment, "seq": before and before.sequence}


def _time(row: tuple[Any, ...]) -> tuple[int, int, int]:
    sequence, place, _, moment, *_ = row
    return moment, sequence, place


def _entry(row: tuple[Any, ...]) -> FileChange:
    _, _, id, moment, kind, title, source, path, former, additions, deletions, *_ = row
    return FileChange(
        observation=UUID(bytes=id),
        at=rows.from_microseconds(moment),
        kind=Kind(kind),
        title=title,
        source=source,
        change=CodeChange(path=path, former=former, additions=additions, deletions=deletions),
    )


def _record(opened: Opened, capture: Capture) -> Recorded:
    connection, draft = opened.connection, capture.draft
    if draft.request is not None and not ledger_rows.remember(connection, draft.request, opened.project):
        return Recorded.KNOWN
    for older in _latest(opened, draft.changes):
        if (whole := joined(older, draft, capture.at)) is not None:
            rows.amend(connection, whole)
            refresh_followers(connection, whole.session, rows.to_microseconds(whole.moment), whole.sequence)
            return Recorded.JOINED
    observation = draft.observed(id=capture.id, project=opened.project, sequence=0, now=capture.at)
    sequence = rows.insert(connection, observation, fingerprint=draft.fingerprint, request=None, context="")
    refresh_around(connection, sequence)
    return Recorded.NEW


def _latest(opened: Opened, changes: Sequence[CodeChange]) -> tuple[Observation, ...]:
    """The latest observation that changed the one file of `changes`."""
    if len(changes) != 1:
        return ()
    found = fetch(opened.connection, rows.SELECT + _LATEST, (changes[0].path,))
    return rows.observations(opened.connection, opened.project, found)
