"""Making, finding and migrating SQLite files, whatever other processes do at the same time."""

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw

from lamella.domain.errors import StorageTooNewError
from lamella_adapters.sqlite.file import header_and_copy
from lamella_adapters.sqlite.file.connection import (
    BUSY_SECONDS,
    Patience,
    beside,
    busy,
    connect,
    damaged,
    read_only,
)
from lamella_adapters.sqlite.schema.migrations import APPLICATION_ID

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600
"""Memories belong to their owner alone, whatever the umask says."""

_MAGIC = b"SQLite format 3\0"

_MIGRATION_SECONDS = 30.0
"""How long to wait for another process that migrates the same file; it copies the whole of it first."""


def own_directory(path: Path) -> Path:
    """Makes `path` with its parents if need be, and closes it to everybody else; a symbolic link is followed."""
    path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    status = path.stat()
    if status.st_uid == os.geteuid() and status.st_mode & 0o777 != DIRECTORY_MODE and os.access(path, os.W_OK):
        path.chmod(DIRECTORY_MODE)
    return path


def is_there(path: Path) -> bool:
    """Whether something is at `path`; unlike `Path.exists`, raises where nobody can tell."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def create(path: Path, migrations: Sequence[str], fill: Sequence[tuple[str, tuple[object, ...]]] = ()) -> None:
    """Makes a database with its schema and first rows appear at `path` in one step, unless one is there.

    It is made under another name and then linked, so that nobody ever sees half of it. The log of a database that
    was deleted there is set aside: SQLite would take it for the new one's.
    """
    if path.exists():
        return
    with draft_of(path) as draft:
        with closing(connect(draft, writable=True)) as connection:
            begin(connection, migrations)
            for statement, values in fill:
                connection.execute(statement, values)
            connection.execute("COMMIT")
        if any(part.exists() for part in beside(path)):
            with _alone_in(path.parent):
                if not path.exists():
                    set_aside(*beside(path), label="left")
                _link(draft, path)
        else:
            _link(draft, path)
        sync_directory(path.parent)


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """An empty file for its owner alone beside `path`, which goes with what belongs to it when the block ends.

    Who erases finds what a kill has left of it, as `left_behind`.
    """
    draft = path.with_name(f"{path.name}.left-{secrets.token_hex(8)}")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    try:
        yield draft
    finally:
        for leftover in (draft, *beside(draft)):
            leftover.unlink(missing_ok=True)


def begin(connection: apsw.Connection, migrations: Sequence[str]) -> None:
    """Makes an empty file a database of ours, in a transaction that is left open."""
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    apply(connection, migrations, 0)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def require_ours(path: Path) -> None:
    """Makes sure that the file at `path` is a SQLite database, before anything is opened that could write to it.

    Raises:
        StorageDamagedError: it is empty, garbage or another program's database.
    """
    header = header_and_copy.header(path)
    if not header.startswith(_MAGIC) or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise damaged()


def migrate(connection: apsw.Connection, path: Path, migrations: Sequence[str], *, writable: bool = True) -> None:
    """Brings a database up to the present schema, once, however many processes begin at the same time.

    A copy of it is made first, in the folder `backups` beside it. The connection is left as patient as a
    migration needs.

    Raises:
        StorageTooNewError: a newer lamella has written it.
        StorageReadOnlyError: it is older, and not `writable`.
    """
    if _seen_all(connection, migrations):
        return
    if not writable:
        raise read_only()
    patience = Patience()
    patience.until(_MIGRATION_SECONDS)
    connection.set_busy_handler(patience)
    # A migration that rebuilds a table would otherwise delete all that refers to it.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _seen_all(connection, migrations):
            version = version_of(connection)
            back_up(path, label=f"schema-{version}")
            apply(connection, migrations, version)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("PRAGMA foreign_keys = ON")


def back_up(path: Path, *, label: str) -> Path:
    """Copies the database at `path`, as it is committed, into `backups` beside it; where the copy is.

    It gets its name when it is complete. What other copies left when they were broken off is removed.
    """
    folder = own_directory(path.parent / "backups")
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    copy = folder / f"{path.stem}.{label}.{moment}.db"
    draft = folder / f".{copy.name}"
    with _alone_in(folder):
        for leftover in folder.glob(f".{path.stem}.*"):
            leftover.unlink()
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
        try:
            with closing(connect(path, writable=True)) as source, closing(apsw.Connection(str(draft))) as target:
                with target.backup("main", source, "main") as transfer:
                    transfer.step()
                target.execute("PRAGMA journal_mode = DELETE").fetchall()
            with draft.open("rb") as file:
                os.fsync(file.fileno())
            draft.rename(copy)
        finally:
            draft.unlink(missing_ok=True)
    sync_directory(folder)
    return copy


def set_aside(*parts: Path, label: str) -> str:
    """Renames those of the files that are there; what was put behind their names. Nothing is deleted."""
    suffix = suffix_of(label)
    for part in parts:
        if part.exists():
            part.rename(part.with_name(part.name + suffix))
    return suffix


def suffix_of(label: str) -> str:
    """What is put behind the name of a file that is set aside now."""
    return f".{label}-{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%f')}"


def disown_log(path: Path, belonged: Callable[[Path], bool]) -> None:
    """Sets the log of another file aside that was at `path` before; SQLite would take it for the present one's.

    `belonged` says whether the log that is there is that one.
    """
    with _alone_in(path.parent):
        if belonged(beside(path)[0]):
            set_aside(*beside(path), label="left")


def left_behind(path: Path) -> list[Path]:
    """What was set aside of the database at `path`."""
    return sorted(
        found
        for part in (path, *beside(path))
        for label in ("damaged", "left")
        for found in path.parent.glob(f"{part.name}.{label}-*")
    )


def backups_of(path: Path) -> list[Path]:
    """The copies of the database at `path`, oldest first."""
    return sorted((path.parent / "backups").glob(f"{path.stem}.*.db"))


def apply(connection: apsw.Connection, migrations: Sequence[str], version: int) -> None:
    """Runs the migrations that a database of that `version` has not seen."""
    for number, migration in enumerate(migrations[version:], start=version + 1):
        # APSW stops a script at the first statement that returns rows, unless they are all fetched.
        connection.execute(migration).fetchall()
        connection.execute(f"PRAGMA user_version = {number}")


def version_of(connection: apsw.Connection) -> int:
    """The number of migrations that the database has seen."""
    version: int = connection.execute("PRAGMA user_version").get
    return version


def require_not_newer(connection: apsw.Connection, migrations: Sequence[str]) -> None:
    """Makes sure that no newer program has migrated the database.

    Raises:
        StorageTooNewError: one has.
    """
    if version_of(connection) > len(migrations):
        raise StorageTooNewError(
            reason="This project's memory was written by a newer lamella and was left untouched.",
            advice="Upgrade lamella (pip install --upgrade lamella) and start it anew.",
        )


def _seen_all(connection: apsw.Connection, migrations: Sequence[str]) -> bool:
    require_not_newer(connection, migrations)
    return version_of(connection) == len(migrations)


def _link(draft: Path, path: Path) -> None:
    with suppress(FileExistsError):
        os.link(draft, path)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keeps other processes and threads that ask for the same out of `folder`.

    Raises:
        StorageBusyError: one of them does not finish.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    deadline = time.monotonic() + BUSY_SECONDS
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise busy() from None
                time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Makes the names in a folder last."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
