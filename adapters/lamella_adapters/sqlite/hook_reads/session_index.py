"""The index for a session's start: the latest memories of each kind.

Each query follows an index and reads hardly more rows than it returns, in a project of any size. Hooks use this
module, so it imports little.
"""

from functools import partial
from typing import Any

import apsw

from lamella.domain.hook_context import ChangedFile, Index, MemoryExcerpt, Overview, Surroundings
from lamella_adapters.fts5.tokens import quoted
from lamella_adapters.sqlite.tables.packed_hunks import unpacked
from lamella_adapters.sqlite.tables.short_ids import short_ids

_CONTENT_CHARACTERS = 8_000
"""Characters of a text to return: no session summary is longer, and its end is shown."""

_CHANGES_READ = 100
"""Latest changes to search for files."""

_NOTES_READ, _ROWS_READ = 2_000, 500
"""Latest notes with files to examine, and latest rows with the folder's name; some 2 ms."""

_DECISIONS = "observation WHERE kind = 'note' AND source = 'decision'"
_NOTES = "observation WHERE kind = 'note' AND source <> 'decision'"
_SUMMARIES = "observation WHERE kind = 'summary'"
# Sources are our own constants.
_LATEST = """
SELECT id, moment, title, content, seq, coalesce(session, ''), kind = 'note' AND source = 'decision', branch, head
FROM {source} AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT :limit
"""
_OF_LATEST = f"""(
SELECT DISTINCT seq FROM (
  SELECT seq FROM {{source}} AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT {_NOTES_READ}
) AS latest {{condition}}) CROSS JOIN observation USING (seq) WHERE kind = 'note'
"""  # noqa: S608 - made of our own constants
# `0` is the character after `/`, so this is the range of all paths in the folder.
_ABOUT_FILES = _OF_LATEST.format(
    source="observation WHERE kind = 'note'",
    condition="""JOIN code_change USING (seq)
  WHERE path = :folder OR path > :folder || '/' AND path < :folder || '0'
  OR path IN (SELECT value FROM json_each(:files))""",
)
_ABOUT_NO_FILE = _OF_LATEST.format(
    source=_DECISIONS, condition="WHERE NOT EXISTS (SELECT 1 FROM code_change AS c WHERE c.seq = latest.seq)"
)
_NAMING = f"""(
SELECT rowid AS seq FROM search WHERE search MATCH :naming ORDER BY rowid DESC LIMIT {_ROWS_READ}
) CROSS JOIN observation USING (seq) WHERE kind = 'note'
"""  # noqa: S608 - made of our own constants
_FILES = "SELECT path, version, hunks, packed FROM code_change WHERE seq = ? ORDER BY place"
_CHANGES = """
SELECT id, moment, title, path, additions, deletions, coalesce(session, '') FROM (
  SELECT seq, id, moment, title, session FROM observation
  WHERE kind = 'change' AND source <> 'git' AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT ?
) JOIN code_change USING (seq) ORDER BY moment DESC, seq DESC, place
"""
_OVERVIEW = """
WITH latest AS (SELECT kind, session, about FROM activity WHERE session IS NOT NULL ORDER BY at DESC LIMIT 500)
SELECT name,
  (SELECT live FROM statistics)
    - (SELECT count(*) FROM observation WHERE kind = 'change' AND source = 'git' AND purged_at IS NULL),
  (SELECT moment FROM observation WHERE purged_at IS NULL ORDER BY moment DESC LIMIT 1), NULL,
  (SELECT count(*) FROM latest WHERE session = (SELECT session FROM latest LIMIT 1)
    AND kind = 'injected' AND about IN ('before edit', 'edit'))
FROM project
"""


def read_index(
    connection: apsw.Connection,
    here: Surroundings,
    *,
    decisions: int,
    notes: int,
    summaries: int,
    files: int,
    near: int = 0,
) -> Index:
    """Return the index as `ProjectReads.index` does."""
    return Index(
        overview=Overview(*_rows(connection, _OVERVIEW)[0]),
        decisions=_latest(connection, _DECISIONS, decisions),
        notes=_latest(connection, _NOTES, notes),
        summaries=_latest(connection, _SUMMARIES, summaries),
        changes=_changes(connection, files),
        near=_near(connection, here, near),
    )


def _near(connection: apsw.Connection, here: Surroundings, limit: int) -> list[MemoryExcerpt]:
    """Return notes about files of `here`, notes with its folder's name, and decisions of the whole project."""
    found: list[MemoryExcerpt] = []
    if here.folder or here.branch:
        # Hooks don't import `json`. Paths with characters to escape are left out.
        plain = [each for each in here.branch if each.isprintable() and not {'"', "\\"} & set(each)]
        listed = ",".join(f'"{each}"' for each in plain)
        # No path begins with a slash.
        found += _latest(connection, _ABOUT_FILES, limit, folder=here.folder or "/", files=f"[{listed}]")
    if here.folder:
        found += _latest(connection, _NAMING, limit, naming=f"{{title content}} : {quoted(here.name)}")
        found += _latest(connection, _ABOUT_NO_FILE, limit)
    return list({each.key: each for each in found}.values())


def _latest(connection: apsw.Connection, source: str, limit: int, **values: str) -> list[MemoryExcerpt]:
    rows = _rows(connection, _LATEST.format(source=source), {"limit": limit, **values})
    ids = short_ids(connection, [id for id, *_ in rows])
    found = []
    for id, (key, at, title, content, sequence, session, decision, *checkout) in zip(ids, rows, strict=True):
        about = _rows(connection, _FILES, (sequence,))
        paths = tuple(path for path, *_ in about)
        files = tuple(
            (path, version, partial(_lines, hunks, stored, content))
            for path, version, hunks, stored in about
            if version
        )
        said = title, content[:_CONTENT_CHARACTERS]
        rest = files, "", paths, session, bool(decision), *checkout
        found.append(MemoryExcerpt(key.hex(), id, at, *said, *rest))
    return found


def _lines(hunks: str, stored: bytes | None, content: str) -> str:
    return hunks if stored is None else unpacked(stored, content)


def _changes(connection: apsw.Connection, limit: int) -> list[ChangedFile]:
    """Return each file once, with its latest change."""
    files: dict[str, tuple[Any, ...]] = {}
    for row in _rows(connection, _CHANGES, (_CHANGES_READ,)):
        files.setdefault(row[3], row)
    latest = list(files.values())[:limit]
    ids = short_ids(connection, [id for id, *_ in latest])
    return [ChangedFile(key.hex(), id, *rest) for id, (key, *rest) in zip(ids, latest, strict=True)]


def _rows(
    connection: apsw.Connection, statement: str, values: tuple[object, ...] | dict[str, Any] = ()
) -> list[tuple[Any, ...]]:
    return connection.execute(statement, values).fetchall()
