"""Observations as rows: the one place where columns become values and values become columns."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

import apsw
from cattrs import Converter

from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.search import indexing
from lamella.domain.text.printing import canonical
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.tables.code_change_rows import write_changes

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_OF_A_DAY = 24 * 60 * 60
COLUMNS = (
    "seq, id, origin, session, kind, actor, title, content, source, created_at, updated_at, purged_at, moment"
)
_CHANGE_NAMES = ("path", "additions", "deletions", "hunks", "former")
_NAMES = ("sequence", *COLUMNS.split(", ")[1:-1], "occurred_at")

# Columns are our own constants.
SELECT = f"SELECT {COLUMNS} FROM observation"  # noqa: S608 - made of our own constants
"""The beginning of every query for whole observations; `observations` turns its rows into values."""

_CHANGES = """
SELECT seq, path, additions, deletions, hunks, former FROM code_change
WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq, place
"""
_INSERT = """
INSERT INTO observation (id, origin, session, kind, actor, source, title, title_key, indexed_title, heading,
  content, sub, context, created_at, updated_at, purged_at, moment, fingerprint, request)
VALUES (:id, :origin, :session, :kind, :actor, :source, :title, :title_key, :indexed_title, :heading, :content,
  :sub, :context, :now, :now, NULL, :moment, :fingerprint, :request)
"""


def to_microseconds(moment: datetime) -> int:
    """Microseconds since 1970 in UTC, as times are stored."""
    since = moment - _EPOCH
    return (since.days * _SECONDS_OF_A_DAY + since.seconds) * 1_000_000 + since.microseconds


def from_microseconds(stored: int) -> datetime:
    """The aware time in UTC that `stored` stands for."""
    return _EPOCH + timedelta(microseconds=stored)


def _converter() -> Converter:
    converter = Converter(detailed_validation=False, forbid_extra_keys=True)
    converter.register_structure_hook(UUID, lambda stored, _: UUID(bytes=stored))
    converter.register_structure_hook(datetime, lambda stored, _: from_microseconds(stored))
    return converter


_rows = _converter()


def observations(
    connection: apsw.Connection, project: str, rows: Iterable[Sequence[object]]
) -> tuple[Observation, ...]:
    """The observations of `project` that the rows of a `SELECT` stand for, with their code changes."""
    found = [dict(zip(_NAMES, row, strict=True), project=project) for row in rows]
    changes: dict[object, list[dict[str, object]]] = {each["sequence"]: [] for each in found}
    for sequence, *change in fetch(connection, _CHANGES, (json.dumps(list(changes)),)) if found else ():
        changes[sequence].append(dict(zip(_CHANGE_NAMES, change, strict=True)))
    try:
        return tuple(
            _rows.structure({**each, "changes": changes[each["sequence"]]}, Observation) for each in found
        )
    except (ValueError, TypeError, OverflowError) as error:
        # Only bytes that others have changed make no memory.
        raise damaged() from error


def insert(
    connection: apsw.Connection,
    draft: Draft,
    *,
    id: UUID,
    project: str,
    now: datetime,
    moment: int,
    fingerprint: bytes,
    request: str | None,
    context: str,
) -> Observation:
    """Stores what `draft` becomes in `project`, with what is indexed of it; `moment` as it is stored."""
    connection.execute(
        _INSERT,
        {
            "id": id.bytes,
            "origin": project,
            "session": draft.session,
            "kind": draft.kind.value,
            "actor": draft.actor,
            "source": draft.source,
            "title": draft.title,
            "title_key": canonical(draft.title),
            "indexed_title": indexing.indexed_title(draft.title, draft.content),
            "heading": indexing.draft_heading(draft, now),
            "content": draft.content,
            "sub": indexing.sub(draft.title, draft.content),
            "context": context,
            "now": to_microseconds(now),
            "moment": moment,
            "fingerprint": fingerprint,
            "request": request,
        },
    )
    sequence = connection.last_insert_rowid()
    write_changes(connection, sequence, draft.changes)
    return draft.observed(
        id=id, project=project, sequence=sequence, now=now, occurred_at=from_microseconds(moment)
    )


def amend(connection: apsw.Connection, observation: Observation) -> None:
    """Stores what a further edit has made of `observation`; its place in time stays."""
    connection.execute(
        "UPDATE observation SET source = ?, title = ?, title_key = ?, indexed_title = ?, content = ?, sub = ?,"
        " updated_at = ? WHERE seq = ?",
        (
            observation.source,
            observation.title,
            canonical(observation.title),
            indexing.indexed_title(observation.title, observation.content),
            observation.content,
            indexing.sub(observation.title, observation.content),
            to_microseconds(observation.updated_at),
            observation.sequence,
        ),
    )
    write_changes(connection, observation.sequence, observation.changes)
