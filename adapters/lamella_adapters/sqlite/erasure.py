"""Erasure of observations and conversations: their rows, every index of them, and the bytes they leave behind."""

import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.errors import StorageError, UnfinishedEraseError
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.sqlite.file.backups import back_up, backups_of, left_behind
from lamella_adapters.sqlite.file.connection import connect, fetch, translate_sqlite_errors
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import ProjectFile, Scope
from lamella_adapters.sqlite.schema.conversations import INDEX
from lamella_adapters.sqlite.tables import message_rows
from lamella_adapters.sqlite.tables.context_column import refresh_followers
from lamella_adapters.sqlite.tables.erased_messages import copy_erased, remember_erased
from lamella_adapters.sqlite.tables.session_titles import erase_titles

_PLACE = "SELECT seq, session, moment FROM observation WHERE id = ?"
_DEPARTED = "SELECT 1 FROM departed WHERE id = ?"
_ANY_ACTIVITY = "SELECT 1 FROM activity WHERE session = ? LIMIT 1"
_ANY = (message_rows.ANY_OF_SESSION, _ANY_ACTIVITY)
_PATIENCE_SECONDS = 5.0
"""Longest wait for readers that keep old pages alive."""


@define(eq=False)
class Eraser:
    """Eraser for a project's file, and for the traces in other files that merges and splits left."""

    registry: SqliteRegistry

    def erase(self, scope: Scope, ids: Sequence[UUID]) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`.

        Deleted pages are overwritten (`secure_delete`), the indexes rewritten (`optimize`), the log truncated.
        """
        with scope.reading() as opened:
            home = opened.project
            done = {id for id in ids if fetch(opened.connection, _PLACE, (id.bytes,))}
        others, unreadable = self._others(home)
        # Before the deletion, so that a repetition after an interruption still knows what to look for there. After
        # it again, because a merge or split that runs meanwhile moves rows.
        done |= self._clear(home, others, ids, done)
        with scope.writing() as opened:
            done |= _delete(opened.connection, ids, ids)
            databases = [opened.file.database, *(file.database for file in others)]
        done |= self._clear(home, others, ids, done)
        finish_all(databases, "memories", copies_may_remain=bool(done) and unreadable)
        changes = []
        for id in ids:
            changes.append(StatusChange.DONE if id in done else StatusChange.NOT_FOUND)
            done.discard(id)
        return tuple(changes)

    def erase_session(self, scope: Scope, session: str) -> int:
        """See `Conversations.erase`. The order of steps is that of `erase`, for the same reasons."""
        with scope.reading() as opened:
            home = opened.project
        others, unreadable = self._others(home)
        erased = self._clear_session(home, others, session)
        with scope.writing() as opened:
            erased += _delete_session(opened.connection, session)
            database = opened.file.database
            databases = [database, *(file.database for file in others)]
        erased += self._clear_session(home, others, session)
        # Messages that a merge left behind and that were erased there must be known here, where copies would
        # arrive.
        linked = self.registry.catalogue().leading_to(home)
        for file in others:
            if file.id in linked:
                with file.database.reading() as leaving, database.writing() as arriving:
                    copy_erased(leaving, arriving)
        finish_all(databases, "messages", copies_may_remain=erased > 0 and unreadable)
        return erased

    def _others(self, home: str) -> tuple[list[ProjectFile], bool]:
        """Return the files of the other projects, and True if some cannot be read."""
        found: list[ProjectFile] = []
        projects = [project.id for project in self.registry.all() if project.id != home]
        for project in projects:
            with suppress(StorageError):
                file = self.registry.file_of(project)
                with file.database.reading():
                    found.append(file)
        return found, len(found) < len(projects)

    def _clear(
        self, home: str, others: Iterable[ProjectFile], ids: Iterable[UUID], departed: Iterable[UUID]
    ) -> set[UUID]:
        """Delete `ids` from files that lead to `home`, and the bytes of `departed` ones from any file."""
        done: set[UUID] = set()
        linked = self.registry.catalogue().leading_to(home)
        for file in others:
            rows = list(ids) if file.id in linked else []
            with file.database.reading() as connection:
                here = any(fetch(connection, _PLACE, (id.bytes,)) for id in rows)
                here = here or any(fetch(connection, _DEPARTED, (id.bytes,)) for id in departed)
            if here:
                with file.database.writing() as connection:
                    done |= _delete(connection, rows, departed)
        return done

    def _clear_session(self, home: str, others: Iterable[ProjectFile], session: str) -> int:
        """Delete a session from files that lead to `home`, and its bytes from any file. Count its messages."""
        linked = self.registry.catalogue().leading_to(home)
        erased = 0
        for file in others:
            with file.database.reading() as connection:
                departed = fetch(connection, _DEPARTED, (message_rows.id_of_session(session),))
                here = file.id in linked and any(fetch(connection, asked, (session,)) for asked in _ANY)
            if here or departed:
                with file.database.writing() as connection:
                    erased += _delete_session(connection, session, rows=file.id in linked)
        return erased


def unfinished(connection: apsw.Connection) -> list[bytes]:
    """Return the ids of deleted rows whose bytes may still be in the log or in a backup."""
    return [id for (id,) in fetch(connection, "SELECT id FROM unfinished_erase")]


def finish_all(databases: Iterable[Database], erased: str, *, copies_may_remain: bool) -> None:
    """Finish erasing in several files, and report a file that cannot be read.

    Raises:
        UnfinishedEraseError: bytes or copies of what was `erased` may remain.
    """
    for database in databases:
        finish_erasing(database)
    if copies_may_remain:
        raise UnfinishedEraseError(
            reason=f"The {erased} are erased; another project's file may hold copies and cannot be read.",
            advice="Run: lamella doctor",
        )


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


def _delete(connection: apsw.Connection, ids: Iterable[UUID], departed: Iterable[UUID]) -> set[UUID]:
    """Delete rows, and mark the bytes of `departed` ones as pending. Return those of `ids` that were there."""
    done = set()
    pending = {id for id in departed if fetch(connection, _DEPARTED, (id.bytes,))}
    for id in ids:
        for sequence, session, occurred_at in fetch(connection, _PLACE, (id.bytes,)):
            connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
            refresh_followers(connection, session, occurred_at, sequence)
            done.add(id)
    for id in pending | done:
        connection.execute("DELETE FROM departed WHERE id = ?", (id.bytes,))
        connection.execute("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", (id.bytes,))
    if pending | done:
        connection.execute("INSERT INTO search (search) VALUES ('optimize')")
        connection.execute("INSERT INTO search_purged (search_purged) VALUES ('optimize')")
    return done


def _delete_session(connection: apsw.Connection, session: str, *, rows: bool = True) -> int:
    """Delete a session, or with `rows` False only its bytes. Return the number of deleted messages."""
    id = (message_rows.id_of_session(session),)
    departed = fetch(connection, _DEPARTED, id)
    deleted = forgotten = 0
    if rows:
        remember_erased(connection, session)
        connection.execute("DELETE FROM message WHERE session = ?", (session,))
        deleted = connection.changes()
        connection.execute("DELETE FROM session_name WHERE session = ?", (session,))
        connection.execute("DELETE FROM summary WHERE session = ?", (session,))
        erase_titles(connection, session)
        connection.execute("DELETE FROM activity WHERE session = ?", (session,))
        forgotten = connection.changes()
    if deleted or forgotten or departed:
        connection.execute("DELETE FROM departed WHERE id = ?", id)
        connection.execute("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", id)
        # The name of the index is our own constant.
        connection.execute(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')")  # noqa: S608 - made of our own constants
    return deleted


def _renew_backups(database: Database, erased: Sequence[bytes]) -> None:
    """Replace the backups that hold erased rows by one verified copy of the present database."""
    old = [backup for backup in backups_of(database.path) if _holds(backup, erased)]
    if not old:
        return
    copy = back_up(database.path, label="erased")
    with translate_sqlite_errors(), closing(connect(copy, writable=False)) as check:
        if check.execute("PRAGMA integrity_check").get != "ok":
            raise UnfinishedEraseError(
                reason="The memories are erased, but an older backup could not be replaced by a sound one.",
                advice="Check the disk, then erase again, or run: lamella doctor",
            )
    for backup in old:
        backup.unlink()


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
