"""Restore projects: first create complete, verified drafts, and then replace the present files.

Drafts are created in the folder `restoring.draft` of the data directory. Renaming this folder to `restoring`
commits the restore. A committed restore is finished by this process or, after a crash, when the storage is opened
next. Drafts that weren't committed are discarded.

The pages of a draft are written into the present file in one transaction. Processes that have the file open
continue with the new contents. Each draft has a random mark. If a file already has the mark of its draft, the file
isn't replaced again.
"""

import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from lamella.domain.errors import StorageError
from lamella.ports.storage.backups import Restored
from lamella_adapters.sqlite.file import backups, folders, header_and_copy, write_queue
from lamella_adapters.sqlite.file.connection import (
    beside,
    connect,
    failure,
    fetch,
    immediate,
    lenient_connection,
    translated_sqlite_errors,
)
from lamella_adapters.sqlite.maintenance.copies import held_by
from lamella_adapters.sqlite.projects.catalogue import READ_PROJECT
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import noted_count, reserve_missing
from lamella_adapters.statements import statements

REGISTRY = "registry.db"

SQL = statements(__file__)


@contextmanager
def drafts(folder: Path) -> Iterator[Path]:
    """Open an empty folder for the drafts of a restore. Lock it against other processes.

    Raises:
        StorageBusyError: Another process uses the folder.
    """
    with translated_sqlite_errors:
        folders.own_data_directory(folder)
        finish_place = folder / folders.RESTORING
        place = folders.own_directory(folder / folders.DRAFTS)
        with folders.locked(place, seconds=0):
            if folders.is_there(finish_place):
                raise failure("restoring")
            for leftover in place.iterdir():
                leftover.unlink()
            try:
                yield place
            finally:
                shutil.rmtree(place, ignore_errors=True)


def mark(connection: apsw.Connection) -> None:
    """Give a draft a random mark. When the draft has replaced a file's contents, the file has the same mark."""
    connection.execute("DELETE FROM restored")
    connection.execute("INSERT INTO restored VALUES (?)", (secrets.token_bytes(16),))


def commit(folder: Path) -> None:
    """Commit the restore: flush the drafts to disk, and rename their folder."""
    with translated_sqlite_errors:
        place = folder / folders.DRAFTS
        for draft in place.iterdir():
            folders.sync(draft)
        folders.sync(place)
        place.rename(folder / folders.RESTORING)
        folders.sync(folder)


def finish(registry: SqliteRegistry) -> tuple[Restored, ...]:
    """Replace the project files by the drafts of a committed restore.

    Raises:
        StorageError: The restore can't be finished now. It will be tried again when the storage is opened next.
    """
    place = registry.folder / folders.RESTORING
    with translated_sqlite_errors:
        known = _aliases(place / REGISTRY)
        done = [_put(registry, draft, known) for draft in sorted(place.glob("*.db")) if draft.name != REGISTRY]
        shutil.rmtree(place)
        folders.sync(registry.folder)
    return tuple(done)


def finish_restore(registry: SqliteRegistry) -> None:
    """Finish an interrupted restore if it was committed. Discard its drafts if it wasn't.

    A restore that is running in another process is skipped. After a failure, such as a full disk, the next opening
    tries again, and `doctor` reports the unfinished restore.
    """
    committed, place = registry.folder / folders.RESTORING, registry.folder / folders.DRAFTS
    with suppress(StorageError, FileNotFoundError):
        if os.path.isdir(committed):  # noqa: PTH112 - faster than pathlib; runs at each opening
            with folders.locked(committed, seconds=0):
                finish(registry)
        if os.path.isdir(place):  # noqa: PTH112 - see above
            with folders.locked(place, seconds=0):
                shutil.rmtree(place, ignore_errors=True)


def _put(registry: SqliteRegistry, draft: Path, known: Sequence[tuple[bytes, str]]) -> Restored:
    """Replace a project's file by a draft, and register the project."""
    path = registry.path_of(draft.stem)
    folders.own_directory(path.parent)
    aside = _put_inside(path, draft) if folders.is_there(path) and _is_database(path) else _put_anew(path, draft)
    with closing(connect(draft, writable=False)) as connection:
        ((id, name, created_at, moved_to),) = fetch(connection, READ_PROJECT)
        aliases = [alias for (alias,) in fetch(connection, "SELECT alias FROM alias")]
        memories = held_by(connection).memories
    aliases += [alias for alias, project in known if project == id]
    with registry.ensure_database().writing() as connection:
        connection.execute(SQL["set_project"], (id, name, created_at, moved_to))
        connection.executemany(SQL["put_alias"], [(alias, id) for alias in aliases])
    draft.unlink()
    return Restored(project=id, name=name, memories=memories, aside=None if aside is None else str(aside))


def _put_inside(path: Path, draft: Path) -> Path | None:
    """Write a draft into the present file. Return the path of a copy of the file's former contents.

    Return None if the file has the draft's contents already. Saves wait until copying and writing are done. So
    each acknowledged save is in the copy, or comes after the restore.
    """
    with lenient_connection(path) as target, closing(connect(draft, writable=True)) as source:
        target.execute("PRAGMA journal_mode = WAL").fetchall()
        if _mark_of(target) == _mark_of(source):
            return None
        with target.backup("main", source, "main") as writing:
            # This step copies no page. It only takes the write lock, which is kept until the backup ends.
            writing.step(0)
            aside = _kept(path)
            _keep_counting(source, path, aside)
            writing.step()
        with suppress(apsw.Error):
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return aside


def _kept(path: Path) -> Path:
    """Copy the present file. If SQLite can't read the file, copy the bytes of the file and of its log."""
    with suppress(apsw.CorruptError, apsw.NotADBError):
        return backups.back_up(path, label="replaced")
    label = folders.dated_suffix("damaged")
    for each in (path, beside(path)[0]):
        if each.exists():
            header_and_copy.copy(each, folders.new_file(each.with_name(each.name + label)))
    folders.sync(path.parent)
    return path.with_name(path.name + label)


def _put_anew(path: Path, draft: Path) -> Path | None:
    """Link a draft to the path of a missing database. If anything else is at this path, set it aside first."""
    _keep_counting_of_note(draft, path)
    aside = (
        path.with_name(path.name + folders.set_aside(path, label="damaged")) if folders.is_there(path) else None
    )
    with folders.locked(path.parent):
        folders.set_log_aside(path)
        os.link(draft, path)
    folders.sync(path.parent)
    return aside


def _keep_counting(source: apsw.Connection, path: Path, present: Path) -> None:
    """Raise the counters in the draft `source` to those of the present file, so that no number is reused.

    The numbers of changes become higher than the present ones, so that processes drop their cached answers. The
    save counter beside the file stays correct.
    """
    numbers: dict[str, int] = {}
    changes = (0, 0)
    # The counters of a damaged file can't be read. Then use only the save counter beside the file.
    with suppress(apsw.Error), closing(connect(present, writable=False)) as connection:
        numbers = dict(fetch(connection, SQL["sequences"]))
        (changes,) = fetch(connection, SQL["changes"])
    with immediate(source):
        for name, number in numbers.items():
            _raise_sequence(source, name, number)
        reserve_missing(source, noted_count(write_queue.note_of(path)))
        for table, number in zip(("statistics", "message_statistics"), changes, strict=True):
            source.execute(f"UPDATE {table} SET changes = max(changes, ?) + 1", (number,))  # noqa: S608 - our own names


def _keep_counting_of_note(draft: Path, path: Path) -> None:
    with closing(connect(draft, writable=True)) as connection, immediate(connection):
        reserve_missing(connection, noted_count(write_queue.note_of(path)))


def _raise_sequence(connection: apsw.Connection, name: str, number: int) -> None:
    known = dict(fetch(connection, SQL["sequences"])).get(name, 0)
    connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
    connection.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (name, max(known, number)))


def _is_database(path: Path) -> bool:
    """Return True if SQLite can write into the file at `path`."""
    if not path.is_file() or not header_and_copy.header(path).startswith(b"SQLite format 3\0"):
        return False
    try:
        with lenient_connection(path) as connection:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return True
    except apsw.Error:
        return False


def _mark_of(connection: apsw.Connection) -> bytes | None:
    # The table is missing if the file is broken or has an older schema.
    with suppress(apsw.Error):
        for (found,) in fetch(connection, "SELECT mark FROM restored"):
            return bytes(found)
    return None


def _aliases(registry: Path) -> list[tuple[bytes, str]]:
    """Return the aliases in the registry of a backup, each with its project. A backup may lack a registry."""
    if not folders.is_there(registry):
        return []
    with suppress(apsw.Error), closing(connect(registry, writable=False)) as connection:
        return [(alias, project) for alias, project in fetch(connection, "SELECT alias, project FROM alias")]
    return []
