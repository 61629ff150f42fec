"""The index that a session starts with: the latest memories of each kind.

Each query follows an index and reads hardly more rows than it returns, in a project of any size. Hooks use this
module, so it imports little.
"""

from typing import Any

import apsw

from lamella.domain.hook_context import ChangedFile, Index, MemoryExcerpt, Overview
from lamella_adapters.sqlite.tables.short_ids import short_ids

_CONTENT_CHARACTERS = 8_000
"""Characters that are read of a text: no summary of a session is longer, and its end is shown."""

_CHANGES_READ = 100
"""Latest changes that are searched for files."""

_DECISIONS = "kind = 'note' AND source = 'decision'"
_NOTES = "kind = 'note' AND source <> 'decision'"
_SUMMARIES = "kind = 'summary'"
# Conditions are our own constants.
_LATEST = f"""
SELECT id, moment, title, substr(content, 1, {_CONTENT_CHARACTERS}), seq FROM observation
WHERE {{condition}} AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT ?
"""  # noqa: S608 - made of our own constants
_FILES = "SELECT path, version FROM code_change WHERE seq = ? AND version IS NOT NULL ORDER BY place"
_CHANGES = """
SELECT id, moment, title, path, additions, deletions FROM (
  SELECT seq, id, moment, title FROM observation
  WHERE kind = 'change' AND source <> 'git' AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT ?
) JOIN code_change USING (seq) ORDER BY moment DESC, seq DESC, place
"""
_OVERVIEW = """
SELECT name, (SELECT live FROM statistics),
  (SELECT moment FROM observation WHERE purged_at IS NULL ORDER BY moment DESC LIMIT 1) FROM project
"""


def read_index(connection: apsw.Connection, *, decisions: int, notes: int, summaries: int, files: int) -> Index:
    """Return the latest decisions, other notes, summaries and changed files, at most so many of each."""
    return Index(
        overview=Overview(*_rows(connection, _OVERVIEW)[0]),
        decisions=_latest(connection, _DECISIONS, decisions),
        notes=_latest(connection, _NOTES, notes),
        summaries=_latest(connection, _SUMMARIES, summaries),
        changes=_changes(connection, files),
    )


def _latest(connection: apsw.Connection, condition: str, limit: int) -> list[MemoryExcerpt]:
    rows = _rows(connection, _LATEST.format(condition=condition), limit)
    ids = short_ids(connection, [id for id, *_ in rows])
    return [
        MemoryExcerpt(key.hex(), id, at, title, content, tuple(_rows(connection, _FILES, sequence)))
        for id, (key, at, title, content, sequence) in zip(ids, rows, strict=True)
    ]


def _changes(connection: apsw.Connection, limit: int) -> list[ChangedFile]:
    """Return each file once, with its latest change."""
    files: dict[str, tuple[Any, ...]] = {}
    for row in _rows(connection, _CHANGES, _CHANGES_READ):
        files.setdefault(row[3], row)
    latest = list(files.values())[:limit]
    ids = short_ids(connection, [id for id, *_ in latest])
    return [ChangedFile(key.hex(), id, *rest) for id, (key, *rest) in zip(ids, latest, strict=True)]


def _rows(connection: apsw.Connection, statement: str, *values: object) -> list[tuple[Any, ...]]:
    return connection.execute(statement, values).fetchall()
