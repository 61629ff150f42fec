"""Connections to one SQLite file shared by several processes, and the translation of SQLite's errors."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import apsw
from attrs import define, field

from lamella.domain.errors import (
    StorageBusyError,
    StorageDamagedError,
    StorageError,
    StorageFullError,
    StorageReadOnlyError,
    StorageSlowError,
    StorageTooNewError,
)
from lamella.ports.storage.waiting import call_started
from lamella_adapters.sqlite.file.read_only import connect as read_only_connection
from lamella_adapters.sqlite.file.write_queue import WriteQueue, pause

BUSY_SECONDS = 4.5
"""Maximum seconds that a call waits for other processes and threads.

The whole call then takes less than five seconds.
"""

_LEAST_SECONDS = 0.3
"""Minimum seconds to wait, even if less is left of the call's time. They are enough for a few saves by others."""

_FIXED_IN = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""First release of each line with a fix for the WAL-reset bug: two connections could corrupt a log."""


def require_sound_sqlite(version: str) -> None:
    """Check that the SQLite library can't lose writes of concurrent connections.

    Raises:
        StorageError: `version` has the WAL-reset bug.
    """
    number = tuple(int(part) for part in version.split("."))
    backported = any(number[:2] == fixed[:2] and number >= fixed for fixed in _FIXED_IN)
    if number < _FIXED_IN[0] and not backported:
        raise StorageError(
            reason=f"SQLite {version} can lose memories when several programs write.",
            advice="Upgrade the package apsw.",
        )


def deadline() -> float:
    """Return the monotonic time at which this thread stops waiting for others.

    All transactions of a call share it. Otherwise each of them could wait as long as the first.
    """
    now, started = time.monotonic(), call_started.get()
    return now + BUSY_SECONDS if started is None else max(started + BUSY_SECONDS, now + _LEAST_SECONDS)


@define(eq=False)
class Patience:
    """A busy handler waiting a random 0.5 to 1.5 ms each time, up to the caller's deadline.

    SQLite's own handler increases its waits, so the last of eight writers waits eight times as long as the first.
    With this handler, waits differ by 20 % only, and the longest is an eighth as long.
    """

    deadline: float = field(factory=deadline)
    """Deadline, as `time.monotonic`. All waits of one call have the same deadline."""

    queue: WriteQueue | None = None
    """Queue that a waiting writer joins."""

    def until(self, seconds: float) -> None:
        """Set the deadline to `seconds` from now."""
        self.deadline = time.monotonic() + seconds

    def __call__(self, _attempts: int) -> bool:
        """Wait, and return True if SQLite may try again."""
        if time.monotonic() > self.deadline:
            return False
        if self.queue is not None:
            self.queue.join()
        pause()
        return True


def connect(path: Path, *, writable: bool) -> apsw.Connection:
    """Open the existing database at `path`, with a connection waiting for others up to the `deadline`.

    A database in a read-only folder is opened unchanged.

    Raises:
        apsw.Error: The database can't be opened.
    """
    require_sound_sqlite(apsw.sqlite_lib_version())
    if writable:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    else:
        connection, _ = read_only_connection(str(path))
    try:
        # Otherwise SQLite plans queries such as `a = ? ORDER BY b` again for every new value, several times as
        # slow as running them.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.set_busy_handler(Patience())
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def lenient_connection(path: Path) -> Iterator[apsw.Connection]:
    """Open a database for repairs, with a connection that tolerates an unreadable schema and missing pages."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.set_busy_handler(Patience())
        connection.execute("PRAGMA writable_schema = ON").fetchall()
        yield connection


def beside(path: Path) -> tuple[Path, Path]:
    """Return the paths of the write-ahead log and the shared memory of the database at `path`."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def fetch(
    connection: apsw.Connection, statement: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[tuple[Any, ...]]:
    """Return the rows of `statement`. The strict tables of the schema define their types."""
    return connection.execute(statement, values).fetchall()


def version_of(connection: apsw.Connection) -> int:
    """Return the number of migrations applied to the database."""
    version: int = connection.execute("PRAGMA user_version").get
    return version


def require_not_newer(connection: apsw.Connection, migrations: Sequence[str]) -> None:
    """Check the version of a database.

    Raises:
        StorageTooNewError: a newer lamella has migrated it.
    """
    if version_of(connection) > len(migrations):
        raise StorageTooNewError(
            reason="This project's memory was written by a newer lamella and was left untouched.",
            advice="Upgrade lamella and restart it.",
        )


@contextmanager
def immediate(connection: apsw.Connection, queueing: AbstractContextManager[None] | None = None) -> Iterator[None]:
    """Take the write lock, while `queueing`. Commit when the block ends, and roll back if it raises."""
    with queueing or nullcontext():
        connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # SQLite ends a transaction by itself after some errors.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


class _ErrorTranslation(AbstractContextManager[object]):
    """Reusable context manager without state. A generator would take three times as long without an error."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None and (translated := _translated(error)) is not None:
            raise translated from error


translated_sqlite_errors = _ErrorTranslation()
"""Translates errors of SQLite and of the file system into `StorageError` inside the block."""


def _translated(error: BaseException) -> StorageError | None:
    """Translate an error of SQLite or of the file system; None for other errors."""
    meaning = next((meaning for kinds, meaning in _MEANINGS.items() if isinstance(error, kinds)), None)
    if meaning is not None:
        return meaning()
    match error:
        case apsw.FullError():
            return StorageFullError(
                reason="The disk is full; nothing was saved.", advice="Free some space and try again."
            )
        case apsw.IOError():
            reason = "The disk or a file-size limit refused to write; nothing was saved."
            advice = "Check the disk, its quota and limits (ulimit -f), then try again."
        case apsw.Error():
            reason = f"The memory database refused this: {error}; nothing was changed."
            advice = "Run: lamella doctor"
        case PermissionError():
            reason = "The memory folder may not be used by this user."
            advice = "Check its permissions with: lamella doctor"
        case OSError():
            reason = f"The memory folder cannot be used: {error.strerror}."
            advice = "Check LAMELLA_DATA_DIR and LAMELLA_STORAGE, or run: lamella doctor"
        case _:
            return None
    return StorageError(reason=reason, advice=advice)


def busy() -> StorageBusyError:
    """Return the error for a write lock held by another process."""
    return StorageBusyError(
        reason="Another program is writing to this memory and did not finish in time;"
        " nothing was saved or changed.",
        advice="Try again in a moment.",
    )


def occupied() -> StorageBusyError:
    """Return the error for a connection in use by another thread of this process."""
    return StorageBusyError(
        reason="Other calls were using this memory and did not finish in time; nothing was saved or changed.",
        advice="Try again in a moment.",
    )


def read_only() -> StorageReadOnlyError:
    """Return the error for readable, but not writable memories."""
    return StorageReadOnlyError(
        reason="The memory folder is read-only: memories can be recalled, but not changed.",
        advice="Make it writable, or set LAMELLA_DATA_DIR to a folder that is.",
    )


def unopenable() -> StorageError:
    """Return the error for a file unreadable by this user."""
    return StorageError(
        reason="The memory database cannot be opened; nothing was saved.",
        advice="Check its permissions with: lamella doctor",
    )


def damaged() -> StorageDamagedError:
    """Return the error for a broken or foreign database."""
    return StorageDamagedError(
        reason="This memory database is damaged or was not made by lamella; it was left untouched.",
        advice="Run: lamella doctor",
    )


_MEANINGS: Mapping[tuple[type[Exception], ...], Callable[[], StorageError]] = {
    (apsw.BusyError, apsw.LockedError, apsw.ProtocolError): busy,
    (apsw.InterruptError,): StorageSlowError,
    (apsw.ReadOnlyError, apsw.PermissionsError): read_only,
    (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError): damaged,
    (apsw.CantOpenError,): unopenable,
}
