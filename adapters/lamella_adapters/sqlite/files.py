"""Making, finding and migrating SQLite files, whatever other processes do at the same time."""

import os
import secrets
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw

from lamella.domain.errors import StorageTooNewError
from lamella_adapters.sqlite.connection import connect, damaged, read_only
from lamella_adapters.sqlite.schema import APPLICATION_ID

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600
"""Memories belong to their owner alone, whatever the umask says."""

_MAGIC = b"SQLite format 3\0"


def own_directory(path: Path) -> Path:
    """Makes `path` with its parents if need be, and closes it to everybody else; a symbolic link is followed."""
    path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    status = path.stat()
    if status.st_uid == os.geteuid() and status.st_mode & 0o777 != DIRECTORY_MODE and os.access(path, os.W_OK):
        path.chmod(DIRECTORY_MODE)
    return path


def create(path: Path, migrations: Sequence[str], fill: Sequence[tuple[str, tuple[object, ...]]] = ()) -> None:
    """Makes a database with its schema and first rows appear at `path` in one step, unless one is there.

    It is made under another name and then linked, so that nobody ever sees half of it.
    """
    if path.exists():
        return
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    try:
        with closing(connect(draft, writable=True)) as connection:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            connection.execute("BEGIN IMMEDIATE")
            _apply(connection, migrations, 0)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for statement, values in fill:
                connection.execute(statement, values)
            connection.execute("COMMIT")
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        _sync_directory(path.parent)
    finally:
        for leftover in path.parent.glob(f"{draft.name}*"):
            leftover.unlink()


def require_ours(path: Path) -> None:
    """Makes sure that the file at `path` is a SQLite database, before anything is opened that could write to it.

    Raises:
        StorageDamagedError: it is empty, garbage or another program's database.
    """
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(_MAGIC) or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise damaged()


def migrate(connection: apsw.Connection, path: Path, migrations: Sequence[str], *, writable: bool = True) -> None:
    """Brings a database up to the present schema, once, however many processes begin at the same time.

    A copy of it is made first, in the folder `backups` beside it.

    Raises:
        StorageTooNewError: a newer lamella has written it.
        StorageReadOnlyError: it is older, and not `writable`.
    """
    if _version(connection) == len(migrations):
        return
    if _version(connection) > len(migrations):
        raise StorageTooNewError(
            reason="This project's memory was written by a newer lamella and was left untouched.",
            advice="Upgrade lamella: pip install --upgrade lamella",
        )
    if not writable:
        raise read_only()
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)
        if version < len(migrations):
            back_up(path, label=f"schema-{version}")
            _apply(connection, migrations, version)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def back_up(path: Path, *, label: str) -> Path:
    """Copies the database at `path`, as it is committed, into `backups` beside it; where the copy is."""
    folder = own_directory(path.parent / "backups")
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    copy = folder / f"{path.stem}.{label}.{moment}.db"
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    with closing(connect(path, writable=True)) as source, closing(apsw.Connection(str(copy))) as target:
        with target.backup("main", source, "main") as transfer:
            transfer.step()
        target.execute("PRAGMA journal_mode = DELETE").fetchall()
    with copy.open("rb") as file:
        os.fsync(file.fileno())
    _sync_directory(folder)
    return copy


def backups_of(path: Path) -> list[Path]:
    """The copies of the database at `path`, oldest first."""
    return sorted((path.parent / "backups").glob(f"{path.stem}.*.db"))


def _apply(connection: apsw.Connection, migrations: Sequence[str], version: int) -> None:
    for number, migration in enumerate(migrations[version:], start=version + 1):
        # APSW stops a script at the first statement that returns rows, unless they are all fetched.
        connection.execute(migration).fetchall()
        connection.execute(f"PRAGMA user_version = {number}")


def _version(connection: apsw.Connection) -> int:
    version: int = connection.pragma("user_version")
    return version


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
