"""Index that is shown when a session starts: the latest memories of each kind.

Each query uses an index of the database. In a project of any size, it reads hardly more rows than it returns.
Hooks use this module, so it imports little.
"""

from functools import partial
from typing import Any

import apsw

from lamella.domain.hook_context import ChangedFile, Index, MemoryExcerpt, Overview, Surroundings
from lamella_adapters.fts5.tokens import quoted
from lamella_adapters.sqlite.tables.packed_hunks import unpacked
from lamella_adapters.sqlite.tables.short_ids import short_ids
from lamella_adapters.statements import statements

_CONTENT_CHARACTERS = 8_000
"""Number of characters of a text to return. Summaries of sessions are shorter, so they are returned whole."""

_CHANGES_READ = 100
"""Number of latest changes to search for changed files."""

_NOTES_READ, _ROWS_READ, _SESSION_READ = 2_000, 500, 30
"""Maximum numbers of rows to examine: latest notes about files, rows with the folder's name, rows of a session.

Examining all of them takes some 2 ms.
"""

SQL = statements(__file__, notes_read=_NOTES_READ, rows_read=_ROWS_READ, session_read=_SESSION_READ)


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
    nearest = _near(connection, here, near)
    return Index(
        overview=Overview(*_rows(connection, SQL["overview"])[0]),
        decisions=_latest(connection, SQL["decisions"], decisions),
        notes=_latest(connection, SQL["notes"], notes),
        summaries=_latest(connection, SQL["summaries"], summaries),
        changes=_changes(connection, files),
        near=nearest,
        elsewhere=_elsewhere(connection, here.folder, nearest),
    )


def _near(connection: apsw.Connection, here: Surroundings, limit: int) -> list[MemoryExcerpt]:
    """Return notes about files near `here`, notes with the folder's name, and decisions about no file."""
    found: list[MemoryExcerpt] = []
    if here.folder or here.branch:
        # Write the JSON array without `json`, which hooks don't import. Leave out paths with characters to escape.
        plain = [each for each in here.branch if each.isprintable() and not {'"', "\\"} & set(each)]
        listed = ",".join(f'"{each}"' for each in plain)
        # Use `/` for no path: it matches nothing, because no path begins with a slash.
        found += _latest(connection, SQL["about_files"], limit, folder=here.folder or "/", files=f"[{listed}]")
    if here.folder:
        found += _latest(connection, SQL["naming"], limit, naming=f"{{title content}} : {quoted(here.name)}")
    found += _latest(connection, SQL["about_no_file"], limit)
    return list({each.key: each for each in found}.values())


def _elsewhere(connection: apsw.Connection, folder: str, memories: list[MemoryExcerpt]) -> frozenset[str]:
    """Return sessions whose latest files are all outside of `folder`.

    Only the sessions of those decisions in `memories` that have no files are considered.
    """
    of_decisions = {each.session for each in memories if folder and each.decision and not each.paths}
    places = ({"session": each, "folder": folder} for each in of_decisions)
    return frozenset(each["session"] for each in places if connection.execute(SQL["elsewhere"], each).get)


def _latest(connection: apsw.Connection, source: str, limit: int, **values: str) -> list[MemoryExcerpt]:
    rows = _rows(connection, SQL["latest"].format(source=source), {"limit": limit, **values})
    ids = short_ids(connection, [id for id, *_ in rows])
    found = []
    for id, (key, at, title, content, sequence, session, decision, *checkout) in zip(ids, rows, strict=True):
        said = title, content[:_CONTENT_CHARACTERS]
        rest = session, bool(decision), *checkout
        excerpt = MemoryExcerpt(key.hex(), id, at, *said, (), "", (), *rest)
        found.append(with_files(connection, excerpt, sequence, content))
    return found


def with_files(connection: apsw.Connection, memory: MemoryExcerpt, sequence: int, content: str) -> MemoryExcerpt:
    """Return the excerpt `memory` with its files. `content` is the whole text of the memory."""
    about = _rows(connection, SQL["files"], (sequence,))
    files = tuple(
        (path, version, partial(_lines, hunks, stored, content))
        for path, version, hunks, stored in about
        if version
    )
    return memory._replace(files=files, paths=tuple(path for path, *_ in about))


def _lines(hunks: str, stored: bytes | None, content: str) -> str:
    return hunks if stored is None else unpacked(stored, content)


def _changes(connection: apsw.Connection, limit: int) -> list[ChangedFile]:
    """Return the latest changed files, each once, with its latest change."""
    files: dict[str, tuple[Any, ...]] = {}
    for row in _rows(connection, SQL["changes"], (_CHANGES_READ,)):
        files.setdefault(row[3], row)
    latest = list(files.values())[:limit]
    ids = short_ids(connection, [id for id, *_ in latest])
    return [ChangedFile(key.hex(), id, *rest) for id, (key, *rest) in zip(ids, latest, strict=True)]


def _rows(
    connection: apsw.Connection, statement: str, values: tuple[object, ...] | dict[str, Any] = ()
) -> list[tuple[Any, ...]]:
    return connection.execute(statement, values).fetchall()
