"""Erasing for good: the rows, every index of them, and the bytes they leave behind."""

import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.errors import StorageError, UnfinishedEraseError
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.sqlite.file import files
from lamella_adapters.sqlite.file.connection import connect, fetch, in_our_words
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import ProjectFile, Scope
from lamella_adapters.sqlite.tables import activity_rows, message_rows
from lamella_adapters.sqlite.tables.context_column import refresh_followers

_PLACE = "SELECT seq, session, moment FROM observation WHERE id = ?"
_DEPARTED = "SELECT 1 FROM departed WHERE id = ?"
_PATIENCE_SECONDS = 5.0
"""How long to wait for readers that keep the old pages alive."""


@define(eq=False)
class Eraser:
    """Erases observations from a project's file, and what is left of them where merges and splits took them."""

    registry: SqliteRegistry

    def erase(self, scope: Scope, ids: Sequence[UUID]) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`.

        Deleted pages are overwritten (`secure_delete`), the indexes rewritten (`optimize`), the log truncated.
        """
        with scope.reading() as opened:
            home = opened.project
            done = {id for id in ids if fetch(opened.connection, _PLACE, (id.bytes,))}
        others, unreadable = self.others(home)
        # Before, so that who breaks this off and repeats it still knows what to look for there; and after, because
        # a merge or split that goes on meanwhile carries rows to and fro.
        done |= self._clear(home, others, ids, done)
        with scope.writing() as opened:
            done |= _delete(opened.connection, ids, ids)
            databases = [opened.file.database, *(file.database for file in others)]
        done |= self._clear(home, others, ids, done)
        for database in databases:
            finish_erasing(database)
        if done and unreadable:
            raise UnfinishedEraseError(
                reason="The memories are erased; another project's file may hold copies and cannot be read.",
                advice="Run: lamella doctor",
            )
        once = set(done)
        return tuple(_change(id, once) for id in ids)

    def others(self, home: str) -> tuple[list[ProjectFile], bool]:
        """The files of the other projects, and whether there are some that cannot be read."""
        found: list[ProjectFile] = []
        projects = [project.id for project in self.registry.all() if project.id != home]
        for project in projects:
            with suppress(StorageError):
                file = self.registry.file_of(project)
                with file.database.reading():
                    found.append(file)
        return found, len(found) < len(projects)

    def _clear(
        self, home: str, others: Iterable[ProjectFile], ids: Iterable[UUID], left: Iterable[UUID]
    ) -> set[UUID]:
        """Deletes `ids` from files that lead to `home`, and what those that went away have `left` in any."""
        done: set[UUID] = set()
        linked = self.registry.leading_to(home)
        for file in others:
            rows = list(ids) if file.id in linked else []
            with file.database.reading() as connection:
                here = any(fetch(connection, _PLACE, (id.bytes,)) for id in rows)
                here = here or any(fetch(connection, _DEPARTED, (id.bytes,)) for id in left)
            if here:
                with file.database.writing() as connection:
                    done |= _delete(connection, rows, left)
        return done


def _change(id: UUID, left: set[UUID]) -> StatusChange:
    if id not in left:
        return StatusChange.NOT_FOUND
    left.remove(id)
    return StatusChange.DONE


def unfinished(connection: apsw.Connection) -> list[bytes]:
    """The ids of rows that are deleted, and whose bytes may still stand in the log or in a backup."""
    return [id for (id,) in fetch(connection, "SELECT id FROM unfinished_erase")]


def finish_erasing(database: Database) -> None:
    """Empties the log of the database and renews the backups, both of which may still hold what was deleted.

    Raises:
        UnfinishedEraseError: one of them still does. What is left to do is remembered in the database.
    """
    with database.reading() as connection:
        pending = unfinished(connection)
    if not pending:
        return
    # The backups are seen to in any case: nothing that keeps the log from being emptied is in their way.
    _renew_backups(database, pending)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not database.empty_log():
        if time.monotonic() > deadline:
            raise UnfinishedEraseError(
                reason="The memories are erased, but another program still reads old pages of the database.",
                advice="Close other sessions and erase again to overwrite their bytes.",
            )
        time.sleep(0.05)
    if files.left_behind(database.path):
        raise UnfinishedEraseError(
            reason="The memories are erased, but damaged files that were set aside may still hold them.",
            advice="Delete the files in the memory folder whose names hold .damaged- or .left-, then erase again.",
        )
    with database.writing() as connection:
        connection.executemany("DELETE FROM unfinished_erase WHERE id = ?", [(id,) for id in pending])


def _delete(connection: apsw.Connection, ids: Iterable[UUID], left: Iterable[UUID]) -> set[UUID]:
    """Deletes rows, and the bytes of those that went elsewhere; those of `ids` that were there."""
    done = set()
    pending = {id for id in left if fetch(connection, _DEPARTED, (id.bytes,))}
    for id in ids:
        for sequence, session, moment in fetch(connection, _PLACE, (id.bytes,)):
            connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
            refresh_followers(connection, session, moment, sequence)
            done.add(id)
    for id in pending | done:
        connection.execute("DELETE FROM departed WHERE id = ?", (id.bytes,))
        connection.execute("INSERT OR IGNORE INTO unfinished_erase VALUES (?)", (id.bytes,))
    if pending | done:
        connection.execute("INSERT INTO search (search) VALUES ('optimize')")
        connection.execute("INSERT INTO search_purged (search_purged) VALUES ('optimize')")
    return done


def _renew_backups(database: Database, erased: Sequence[bytes]) -> None:
    """Replaces the backups that hold what was erased by one verified copy of the database as it is now."""
    old = [backup for backup in files.backups_of(database.path) if _holds(backup, erased)]
    if not old:
        return
    copy = files.back_up(database.path, label="erased")
    with in_our_words(), closing(connect(copy, writable=False)) as check:
        if check.execute("PRAGMA integrity_check").get != "ok":
            raise UnfinishedEraseError(
                reason="The memories are erased, but an older backup could not be replaced by a sound one.",
                advice="Check the disk, then erase again, or run: lamella doctor",
            )
    for backup in old:
        backup.unlink()


def _holds(backup: Path, erased: Sequence[bytes]) -> bool:
    """Whether one of the rows is or was in a backup, or it cannot be ruled out."""
    try:
        with closing(connect(backup, writable=False)) as connection:
            return any(_held(connection, id) for id in erased)
    except apsw.Error:
        return True


def _held(connection: apsw.Connection, id: bytes) -> bool:
    """Whether an observation, or a session that `id` marks, is or was in a database; old ones lack tables."""
    if any(fetch(connection, trace, (id,)) for trace in (_PLACE, _DEPARTED)):
        return True
    session = message_rows.marked_session(id)
    if session is None:
        return False
    tables = [table for (table,) in fetch(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    traces = {"message": message_rows.ANY_OF_SESSION, "activity": activity_rows.ANY_OF_SESSION}
    return any(fetch(connection, trace, (session,)) for table, trace in traces.items() if table in tables)
