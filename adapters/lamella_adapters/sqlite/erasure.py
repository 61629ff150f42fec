"""Erasure of observations and conversations: their rows, every index of them, and the bytes they leave behind."""

import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import apsw
from attrs import frozen

from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.errors import StorageError, UnfinishedEraseError
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.sqlite.file.backups import back_up, backups_of, left_behind
from lamella_adapters.sqlite.file.connection import connect, fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.schema.conversations import INDEX
from lamella_adapters.sqlite.tables import audit_rows, message_rows
from lamella_adapters.sqlite.tables.context_column import refresh_followers
from lamella_adapters.sqlite.tables.erased_messages import copy_erased, remember_erased, remember_memories
from lamella_adapters.sqlite.tables.session_titles import erase_titles

_PLACE = "SELECT seq, session, moment FROM observation WHERE id = ?"
_DEPARTED = "SELECT 1 FROM departed WHERE id = ?"
_REPLACED_BY = "SELECT 1 FROM observation WHERE purged_at IS NOT NULL AND replaced_by = ?"
_AUDITED = "SELECT 1 FROM audited WHERE memory = ? LIMIT 1"
_SHOWN = "SELECT 1 FROM activity WHERE instr(memories, lower(hex(?))) LIMIT 1"
_UNSHOW = """
UPDATE activity SET memories = replace(memories, :id || ' ', '') WHERE instr(memories, :id)
"""
_UNLINK = "UPDATE observation SET replaced_by = NULL WHERE purged_at IS NOT NULL AND replaced_by = ?"
_ANY_ACTIVITY = "SELECT 1 FROM activity WHERE session = ? LIMIT 1"
_ANY = (message_rows.ANY_OF_SESSION, _ANY_ACTIVITY)
_PATIENCE_SECONDS = 5.0
"""Longest wait for readers that keep old pages alive."""


def erase(scope: Scope, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
    """See `ObservationStorage.erase`."""
    done = _erase(scope, _Memories(ids, by), "memories")
    changes = []
    for id in ids:
        changes.append(StatusChange.DONE if id in done else StatusChange.NOT_FOUND)
        done.discard(id)
    return tuple(changes)


def erase_session(scope: Scope, session: str) -> int:
    """See `Conversations.erase`."""
    return len(_erase(scope, _Messages(session), "messages"))


def _erase(scope: Scope, erased: "_Memories | _Messages", called: str) -> set[Any]:
    """Erase rows in all files that have them, and return their ids.

    Deleted pages are overwritten (`secure_delete`), the indexes rewritten (`optimize`), the log truncated.

    Raises:
        UnfinishedEraseError: bytes or copies may remain.
    """
    with scope.reading() as opened:
        home = opened.project
    others, unreadable = _others(scope.registry, home)
    # Before the deletion, so that finishing an interrupted merge later brings no row back. After it again,
    # because a merge or split that runs meanwhile moves rows.
    done = _clear(scope.registry, home, others, erased)
    with scope.writing() as opened:
        done |= erased.delete(opened.connection)
        database = opened.file.database
    done |= _clear(scope.registry, home, others, erased)
    # Messages that a merge left behind and that were erased there must be known here, where copies would
    # arrive.
    for file in _linked(scope.registry, home, others):
        with file.database.reading() as leaving, database.writing() as arriving:
            copy_erased(leaving, arriving)
    for each in (database, *(file.database for file in others)):
        finish_erasing(each)
    if done and unreadable:
        raise UnfinishedEraseError(
            reason=f"The {called} are erased; another project's file may hold copies and cannot be read.",
            advice="Run: lamella doctor",
        )
    return done


def _others(registry: SqliteRegistry, home: str) -> tuple[list[ProjectFile], bool]:
    """Return the files of the other projects, and True if some cannot be read."""
    found: list[ProjectFile] = []
    projects = [project.id for project in registry.all() if project.id != home]
    for project in projects:
        with suppress(StorageError):
            file = registry.file_of(project)
            with file.database.reading():
                found.append(file)
    return found, len(found) < len(projects)


def _linked(registry: SqliteRegistry, home: str, others: Iterable[ProjectFile]) -> list[ProjectFile]:
    """Return the files that lead to `home`."""
    linked = registry.catalogue().leading_to(home)
    return [file for file in others if file.id in linked]


def _clear(
    registry: SqliteRegistry, home: str, others: Iterable[ProjectFile], erased: "_Memories | _Messages"
) -> set[Any]:
    """Delete rows from files that lead to `home`, and bytes that departed rows left from any file."""
    done: set[Any] = set()
    linked = _linked(registry, home, others)
    for file in others:
        rows = file in linked
        with file.database.reading() as connection:
            here = erased.leave_traces(connection, rows=rows)
        if here:
            with file.database.writing() as connection:
                done |= erased.delete(connection, rows=rows)
    return done


@frozen
class _Memories:
    """Memories to erase, by their ids, and who erases them."""

    ids: Sequence[UUID]
    by: Signature

    def leave_traces(self, connection: apsw.Connection, *, rows: bool) -> bool:
        """Return True if some departed from the file or are linked to, or with `rows` if some are in it."""
        queries = (_DEPARTED, _REPLACED_BY, _AUDITED, _SHOWN, *((_PLACE,) if rows else ()))
        return any(fetch(connection, query, (id.bytes,)) for query in queries for id in self.ids)

    def delete(self, connection: apsw.Connection, *, rows: bool = True) -> set[UUID]:
        """Delete the rows, or with `rows` False only their bytes. Return the ids of those that were there."""
        done = set()
        connection.executemany(_UNLINK, [(id.bytes,) for id in self.ids])
        departed = {id for id in self.ids if fetch(connection, _DEPARTED, (id.bytes,))}
        for id in self.ids if rows else ():
            for sequence, session, occurred_at in fetch(connection, _PLACE, (id.bytes,)):
                connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
                refresh_followers(connection, session, occurred_at, sequence)
                done.add(id)
        _overwrite(connection, [id.bytes for id in departed | done], "search", "search_purged")
        audit_rows.forget(connection, self.ids)
        remember_memories(connection, list(done))
        connection.executemany(_UNSHOW, [{"id": id.hex} for id in self.ids])
        origin: str = connection.execute("SELECT id FROM project").get
        audit_rows.write_count(connection, Action.ERASE, self.by, origin=origin, count=len(done))
        return done


@frozen
class _Messages:
    """The messages of a session to erase, and all that names the session."""

    session: str

    def leave_traces(self, connection: apsw.Connection, *, rows: bool) -> bool:
        """Return True if some departed from the file, or with `rows` True if some are in it."""
        departed = fetch(connection, _DEPARTED, (message_rows.id_of_session(self.session),))
        return bool(departed) or (rows and any(fetch(connection, asked, (self.session,)) for asked in _ANY))

    def delete(self, connection: apsw.Connection, *, rows: bool = True) -> set[str]:
        """Delete the rows, or with `rows` False only their bytes. Return the keys of the deleted messages."""
        asked = (self.session,)
        done: set[str] = set()
        traces = self.leave_traces(connection, rows=rows)
        if rows:
            done = {key for (key,) in fetch(connection, "SELECT key FROM message WHERE session = ?", asked)}
            remember_erased(connection, self.session)
            for table in ("message", "session_name", "summary", "activity"):
                connection.execute(f"DELETE FROM {table} WHERE session = ?", asked)  # noqa: S608 - our own constants
            erase_titles(connection, self.session)
        if traces:
            _overwrite(connection, [message_rows.id_of_session(self.session)], INDEX)
        return done


def _overwrite(connection: apsw.Connection, ids: Sequence[bytes], *indexes: str) -> None:
    """Rewrite the indexes that held some rows, and remember that their other bytes are to be overwritten."""
    if not ids:
        return
    connection.executemany("DELETE FROM departed WHERE id = ?", [(id,) for id in ids])
    connection.executemany("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", [(id,) for id in ids])
    for index in indexes:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our own constants


def unfinished(connection: apsw.Connection) -> list[bytes]:
    """Return the ids of deleted rows whose bytes may still be in the log or in a backup."""
    return [id for (id,) in fetch(connection, "SELECT id FROM unfinished_erase")]


def finish_erasing(database: Database) -> None:
    """Empty the log and renew the backups of a database, because both may still hold deleted rows.

    Raises:
        UnfinishedEraseError: one of them still does. The database remembers the pending ids.
    """
    with database.reading() as connection:
        pending = unfinished(connection)
    if not pending:
        return
    # First the backups: they can be renewed even while a reader keeps the log from being emptied.
    _renew_backups(database, pending)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not database.empty_log():
        if time.monotonic() > deadline:
            raise UnfinishedEraseError(
                reason="The memories are erased, but another program still reads old pages of the database.",
                advice="Close other sessions and erase again to overwrite their bytes.",
            )
        time.sleep(0.05)
    if left_behind(database.path):
        raise UnfinishedEraseError(
            reason="The memories are erased, but damaged files that were set aside may still hold them.",
            advice="Delete the files in the memory folder whose names hold .damaged- or .left-, then erase again.",
        )
    with database.writing() as connection:
        connection.executemany("DELETE FROM unfinished_erase WHERE id = ?", [(id,) for id in pending])


def _renew_backups(database: Database, erased: Sequence[bytes]) -> None:
    """Replace the backups that hold erased rows by one verified copy of the present database."""
    old = [backup for backup in backups_of(database.path) if _holds(backup, erased)]
    if not old:
        return
    failure = UnfinishedEraseError(
        reason="The memories are erased, but an older backup could not be replaced by a sound one.",
        advice="Check the disk, then erase again, or run: lamella doctor",
    )
    try:
        back_up(database.path, label="erased", verified=True)
        for backup in old:
            backup.unlink()
    except (apsw.Error, OSError) as error:
        raise failure from error


def _holds(backup: Path, erased: Sequence[bytes]) -> bool:
    """Return False only if none of the rows is or was in a backup."""
    try:
        with closing(connect(backup, writable=False)) as connection:
            return any(_held(connection, id) for id in erased)
    except apsw.Error:
        return True


def _held(connection: apsw.Connection, id: bytes) -> bool:
    """Return True if an observation or session is or was in a database, which may be old and lack tables."""
    if any(fetch(connection, trace, (id,)) for trace in (_PLACE, _DEPARTED)):
        return True
    session = message_rows.session_of_id(id)
    if session is None:
        return False
    tables = [table for (table,) in fetch(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    traces = {"message": message_rows.ANY_OF_SESSION, "activity": _ANY_ACTIVITY}
    return any(fetch(connection, trace, (session,)) for table, trace in traces.items() if table in tables)
