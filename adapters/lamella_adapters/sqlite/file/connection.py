"""Connections to one SQLite file shared by several processes, and the translation of SQLite's errors."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import apsw
from attrs import define, field

from lamella.domain.errors import StorageSlowError
from lamella.ports.storage.waiting import call_started
from lamella_adapters.failures import failures
from lamella_adapters.sqlite.file.write_queue import WriteQueue, pause

failure = failures(__file__)
"""Returns the error with the given name. Keyword arguments replace the placeholders in the error's texts."""


BUSY_SECONDS = 4.5
"""Maximum seconds that a call waits for other processes and threads.

The whole call then takes less than five seconds.
"""

_LEAST_SECONDS = 0.3
"""Minimum wait in seconds, even if less time is left for the call. Other processes do a few saves in that time."""

_FIXED_IN = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""First SQLite release of each series with a fix for the WAL-reset bug.

With this bug, two connections can corrupt a log.
"""


def require_sound_sqlite(version: str) -> None:
    """Check that the SQLite library can't lose writes of concurrent connections.

    Raises:
        StorageError: `version` has the WAL-reset bug.
    """
    number = tuple(int(part) for part in version.split("."))
    backported = any(number[:2] == fixed[:2] and number >= fixed for fixed in _FIXED_IN)
    if number < _FIXED_IN[0] and not backported:
        raise failure("old-sqlite", version=version)


def deadline() -> float:
    """Return the monotonic time at which this thread stops waiting for other threads and processes.

    All transactions of a call share the deadline. Otherwise each of them could wait for the full time.
    """
    now, started = time.monotonic(), call_started.get()
    return now + BUSY_SECONDS if started is None else max(started + BUSY_SECONDS, now + _LEAST_SECONDS)


@define(eq=False, repr=False, slots=False)
class Patience:
    """Busy handler that waits a random 0.5 to 1.5 ms each time, up to the caller's deadline.

    SQLite's own handler waits longer and longer. Of eight writers, the last then waits eight times as long as the
    first. With this handler, the waits of eight writers differ by only 20 %, and their longest wait is an eighth
    of the longest wait with SQLite's handler.
    """

    deadline: float = field(factory=deadline)
    """Deadline on the clock `time.monotonic`. All waits of one call have the same deadline."""

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
    """Open the existing database at `path`, with a connection that waits for locks up to the `deadline`.

    A database in a read-only folder is opened unchanged.

    Raises:
        apsw.Error: The database can't be opened.
    """
    require_sound_sqlite(apsw.sqlite_lib_version())
    if writable:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    else:
        from lamella_adapters.sqlite.file import read_only as readers  # noqa: PLC0415 - only without write access

        connection, _ = readers.connect(str(path))
    try:
        # Without this setting, SQLite plans a query such as `a = ? ORDER BY b` again for every new value. Planning
        # a query takes several times as long as running it.
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
    return int(connection.execute("PRAGMA user_version").get)


def require_not_newer(connection: apsw.Connection, migrations: Sequence[str]) -> None:
    """Check the version of a database.

    Raises:
        StorageTooNewError: a newer lamella has migrated it.
    """
    if version_of(connection) > len(migrations):
        raise failure("newer")


@contextmanager
def immediate(connection: apsw.Connection, queueing: AbstractContextManager[None] | None = None) -> Iterator[None]:
    """Take the write lock. Commit when the block ends, and roll back if it raises.

    While waiting for the lock, the context `queueing` is entered.
    """
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
    """Context manager that translates errors of SQLite and of the file system into `StorageError`.

    A context manager made from a generator would take three times as long in the usual case, without an error.
    """

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            return
        if isinstance(error, apsw.InterruptError):
            raise StorageSlowError from error
        name = next((name for name, kinds in _MEANINGS.items() if isinstance(error, kinds)), None)
        if name is not None:
            raise failure(name, error=error, why=getattr(error, "strerror", "")) from error


translated_sqlite_errors = _ErrorTranslation()
"""Translates errors of SQLite and of the file system into `StorageError` inside the block."""

_MEANINGS: Mapping[str, tuple[type[Exception], ...]] = {
    "busy": (apsw.BusyError, apsw.LockedError, apsw.ProtocolError),
    "read-only": (apsw.ReadOnlyError, apsw.PermissionsError),
    "damaged": (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError),
    "unopenable": (apsw.CantOpenError,),
    "full": (apsw.FullError,),
    "unwritable": (apsw.IOError,),
    "refused": (apsw.Error,),
    "forbidden": (PermissionError,),
    "unusable": (OSError,),
}
"""Errors of SQLite and of the file system, keyed by the name of lamella's error. The first match counts."""
