"""Moving rows from one project's file to another's, so that it can be broken off anywhere and repeated."""

import apsw
from attrs import frozen

from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.contexts import refresh_session
from lamella_adapters.sqlite.database import Database

_BATCH = 200
_COLUMNS = (
    "id, origin, session, kind, actor, source, title, title_key, heading, content, sub, context, created_at, "
    "updated_at, purged_at, moment, fingerprint, request"
)
_SESSION, _UPDATED_AT = (_COLUMNS.split(", ").index(name) for name in ("session", "updated_at"))
# Columns are our own constants.
_READ = f"SELECT seq, {_COLUMNS} FROM observation WHERE :origin IS NULL OR origin = :origin LIMIT {_BATCH}"  # noqa: S608
_WRITE = f"INSERT INTO observation ({_COLUMNS}) VALUES ({', '.join('?' * len(_COLUMNS.split(',')))})"  # noqa: S608
_READ_CHANGES = "SELECT place, path, additions, deletions, hunks FROM code_change WHERE seq = ?"
_WRITE_CHANGE = "INSERT INTO code_change VALUES (?, ?, ?, ?, ?, ?)"


@frozen
class _Row:
    """One row as it is stored, without its sequence number, and its code changes without theirs."""

    id: bytes
    updated_at: int
    values: tuple[object, ...]
    changes: tuple[tuple[object, ...], ...]


def move(source: Database, target: Database, *, origin: str | None = None) -> int:
    """Moves all rows, or those of one `origin`, from `source` to `target`; how many.

    Each batch is copied by id and then deleted where it has not changed meanwhile. A row that both hold, because
    an earlier run was broken off, keeps the later state.
    """
    moved = 0
    sessions: set[str] = set()
    while batch := _batch(source, origin):
        with target.writing() as connection:
            for row in batch:
                _put(connection, row)
        with source.writing() as connection:
            for row in batch:
                connection.execute(
                    "DELETE FROM observation WHERE id = ? AND updated_at = ?", (row.id, row.updated_at)
                )
                moved += connection.changes()
        sessions |= {session for row in batch if isinstance(session := row.values[_SESSION], str)}
    for database in (source, target):
        with database.writing() as connection:
            for session in sessions:
                refresh_session(connection, session)
    return moved


def _batch(source: Database, origin: str | None) -> list[_Row]:
    with source.reading() as connection:
        found = fetch(connection, _READ, {"origin": origin})
        return [
            _Row(
                id=values[0],
                updated_at=values[_UPDATED_AT],
                values=values,
                changes=tuple(fetch(connection, _READ_CHANGES, (sequence,))),
            )
            for sequence, *rest in found
            for values in [tuple(rest)]
        ]


def _put(target: apsw.Connection, row: _Row) -> None:
    present = fetch(target, "SELECT seq, updated_at FROM observation WHERE id = ?", (row.id,))
    for sequence, updated_at in present:
        if updated_at >= row.updated_at:
            return
        target.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
    target.execute(_WRITE, row.values)
    sequence = target.last_insert_rowid()
    target.executemany(_WRITE_CHANGE, [(sequence, *change) for change in row.changes])
