"""Erasure of observations and conversations from all files of a storage, including logs and backups."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from lamella.domain.errors import StorageError
from lamella.domain.transactions.look import Look
from lamella_adapters.sqlite.file.backups import back_up, backups_of
from lamella_adapters.sqlite.file.connection import connect, failure, fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.folders import left_behind
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import erased_rows
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.erased_rows import ErasedMemories, ErasedSession, copy_erased, remember_marks

_PATIENCE_SECONDS = 5.0
"""Maximum wait, in seconds, for readers of old pages."""


@contextmanager
def erasing(scope: Scope, look: Look) -> Iterator[Opened]:
    """Open a transaction to erase the rows that `look` names. Also erase them from the files of other projects.

    Deleted pages are overwritten (`secure_delete`), the indexes are rewritten (`optimize`), and the log is
    truncated.

    Yields:
        The transaction.

    Raises:
        UnfinishedEraseError: Bytes or copies of the rows may remain.
    """
    erased = ErasedMemories(look.ids) if look.messages_of is None else ErasedSession(look.messages_of)
    done: set[Any] = set()
    while True:
        with scope.reading() as opened:
            home = opened.project
        others, unreadable = _others(scope.registry, home)
        # Clear the files of merged projects first. Otherwise, when an interrupted merge is finished, it could copy
        # an erased row back.
        done |= _clear(scope.registry, home, others, erased)
        linked = _linked(scope.registry, home, others)
        with scope.writing() as opened:
            # From here on, no row can move to another file, because a merge or split needs the locks of both
            # files.
            if opened.project == home and not any(_there(file, erased) for file in linked):
                found = bool(done) or erased.traced(opened.connection, rows=True)
                yield opened._replace(cleared=done)
                break
    # An interrupted merge may have left erased messages in the merged files. Mark them as erased here, too, so
    # that finishing the merge doesn't copy them into this file.
    for file in linked:
        with file.database.reading() as leaving, opened.file.database.writing() as arriving:
            copy_erased(leaving, arriving)
    for each in (opened.file, *others):
        finish_erasing(each.database)
    if found and unreadable:
        raise failure("erased-but-copies", called="memories" if look.messages_of is None else "messages")


def _others(registry: SqliteRegistry, home: str) -> tuple[list[ProjectFile], bool]:
    """Return the readable files of the projects except `home`, and True if any other file is unreadable."""
    found: list[ProjectFile] = []
    projects = [project.id for project in registry.all() if project.id != home]
    for project in projects:
        with suppress(StorageError):
            file = registry.file_of(project)
            with file.database.reading():
                found.append(file)
    return found, len(found) < len(projects)


def _linked(registry: SqliteRegistry, home: str, others: Iterable[ProjectFile]) -> list[ProjectFile]:
    """Return the files of projects that were merged into `home`."""
    linked = registry.catalogue().leading_to(home)
    return [file for file in others if file.id in linked]


def _clear(
    registry: SqliteRegistry, home: str, others: Iterable[ProjectFile], erased: ErasedMemories | ErasedSession
) -> set[Any]:
    """Delete rows from the files of projects merged into `home`. Return the ids or keys of deleted rows.

    In all files of `others`, overwrite bytes that moved rows have left.
    """
    done: set[Any] = set()
    linked = _linked(registry, home, others)
    for file in others:
        rows = file in linked
        if _traced(file, erased, rows=rows):
            with file.database.writing() as connection:
                remember_marks(connection, erased.marks(connection) if rows else ())
                done |= erased.delete(connection, rows=rows)
    return done


def _there(file: ProjectFile, erased: ErasedMemories | ErasedSession) -> bool:
    with file.database.reading() as connection:
        return erased.there(connection)


def _traced(file: ProjectFile, erased: ErasedMemories | ErasedSession, *, rows: bool) -> bool:
    with file.database.reading() as connection:
        return erased.traced(connection, rows=rows)


def unfinished(connection: apsw.Connection) -> list[bytes]:
    """Return the ids of deleted rows whose bytes may remain in the log or in a backup."""
    return [id for (id,) in fetch(connection, "SELECT id FROM unfinished_erase")]


def finish_erasing(database: Database) -> None:
    """Empty the log and renew the backups of a database, because both may still hold deleted rows.

    Raises:
        UnfinishedEraseError: Bytes remain in the log or a backup. Their ids stay in the table `unfinished_erase`.
    """
    with database.reading() as connection:
        pending = unfinished(connection)
    if not pending:
        return
    # Renew the backups first. This works even while a reader keeps the log from being emptied.
    _renew_backups(database, pending)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not database.empty_log():
        if time.monotonic() > deadline:
            raise failure("erased-but-read")
        time.sleep(0.05)
    if left_behind(database.path):
        raise failure("erased-but-aside")
    with database.writing() as connection:
        connection.executemany("DELETE FROM unfinished_erase WHERE id = ?", [(id,) for id in pending])


def _renew_backups(database: Database, erased: Sequence[bytes]) -> None:
    """Replace backups that may contain erased rows by one verified copy of the present database."""
    old = [backup for backup in backups_of(database.path) if _holds(backup, erased)]
    if not old:
        return
    try:
        back_up(database.path, label="erased", verified=True)
        for backup in old:
            backup.unlink()
    except (apsw.Error, OSError) as error:
        raise failure("erased-but-backup") from error


def _holds(backup: Path, erased: Sequence[bytes]) -> bool:
    """Return True if a backup is unreadable, or may have any of the rows now or may have had them earlier."""
    try:
        with closing(connect(backup, writable=False)) as connection:
            return any(_held(connection, id) for id in erased)
    except apsw.Error:
        return True


def _held(connection: apsw.Connection, id: bytes) -> bool:
    """Return True if a database has the observation or session with this id, or had it earlier.

    Missing tables are skipped, because the database may be of an old version.
    """
    if any(fetch(connection, erased_rows.SQL[trace], (id,)) for trace in ("place", "departed")):
        return True
    session = message_rows.session_of_id(id)
    if session is None:
        return False
    tables = [table for (table,) in fetch(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    traces = {"message": message_rows.ANY_OF_SESSION, "activity": erased_rows.SQL["any_activity"]}
    return any(fetch(connection, trace, (session,)) for table, trace in traces.items() if table in tables)
