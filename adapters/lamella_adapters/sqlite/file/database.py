"""One SQLite file of ours: short transactions for reading and writing, from any thread."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Condition, Thread

import apsw
from attrs import define, field

from lamella.domain.errors import StorageError
from lamella.ports.storage.waiting import call_started
from lamella_adapters.sqlite.file.connection import (
    deadline,
    failure,
    immediate,
    require_not_newer,
    translated_sqlite_errors,
)
from lamella_adapters.sqlite.file.shared_connection import LogOwner, SharedConnection

Version = tuple[apsw.Connection, int]
"""A connection, and the number of changes by other connections since it was opened."""

Step = Callable[[apsw.Connection], bool]
"""Function that works in a transaction, and returns a boolean."""

_CHECKPOINT_SECONDS = 0.1
"""Maximum seconds to wait for readers while the log is emptied. Every writer waits meanwhile."""

_LEAST_READ_SECONDS = 1.0
"""Minimum time limit of a read, in seconds, for calls with less time left, as after waiting for a lock."""

_TICK_SECONDS = 0.1

_READER_CACHE_KILOBYTES, _WRITER_CACHE_KILOBYTES = 1_000, 500
"""Sizes of the page caches of the reading and the writing connection, in kilobytes.

A search reads hundreds of pages, a save touches a dozen.
"""


@define(eq=False, repr=False, slots=False)
class _Interrupter:
    """Thread that interrupts the reads of calls at their deadlines.

    While reads are running, the thread wakes at fixed intervals. If each read woke the thread, reads would be
    slower.
    """

    _deadlines: dict[apsw.Connection, float] = field(factory=dict)
    _changed: Condition = field(factory=Condition)
    _thread: Thread | None = None
    _idle: bool = False
    _begun: int = 0

    @contextmanager
    def watching(self, connection: apsw.Connection, until: float) -> Iterator[None]:
        """Interrupt `connection` if the block is still running at the monotonic time `until`."""
        with self._changed:
            self._deadlines[connection] = until
            self._begun += 1
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._watch, name="read limit", daemon=True)
                self._thread.start()
            elif self._idle:
                self._changed.notify()
        try:
            yield
        except apsw.SQLError as error:
            # Interrupting the creation of a virtual table, such as json_each, reports "can't be constructed".
            if until <= time.monotonic():
                raise apsw.InterruptError from error
            raise
        finally:
            with self._changed:
                del self._deadlines[connection]

    def _watch(self) -> None:
        with self._changed:
            while True:
                seen, now = self._begun, time.monotonic()
                for connection, until in self._deadlines.items():
                    if until <= now:
                        # An interrupt between two statements has no effect, so repeat it at the next tick.
                        connection.interrupt()
                self._changed.wait(_TICK_SECONDS)
                if self._begun == seen and not self._deadlines:
                    self._idle = True
                    self._changed.wait()
                    self._idle = False


_interrupter = _Interrupter()


@contextmanager
def _limited(connection: apsw.Connection) -> Iterator[None]:
    """Interrupt the reads in the block at the deadline of this thread's call.

    Outside of a call, as in an export, there is no limit.
    """
    if call_started.get() is None:
        yield
        return
    with _interrupter.watching(connection, max(deadline(), time.monotonic() + _LEAST_READ_SECONDS)):
        yield


@define(eq=False, repr=False, slots=False)
class Database:
    """A file with one connection for reading and one for writing, opened on demand.

    A reader never waits for a writer. Each connection is used by one thread at a time. Waiting for threads has the
    same time limit as waiting for other processes.
    """

    path: Path
    migrations: Sequence[str]
    _folder: Path = field(init=False)
    _reader: SharedConnection = field(init=False)
    _writer: SharedConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._folder = self.path.parent
        log_owner = LogOwner(self.path)
        self._reader, self._writer = (
            SharedConnection(self.path, self.migrations, log_owner, kilobytes)
            for kilobytes in (_READER_CACHE_KILOBYTES, _WRITER_CACHE_KILOBYTES)
        )

    @property
    def writable(self) -> bool:
        """Return True if this user may write to the file and create SQLite's own files beside it."""
        return os.access(self.path, os.W_OK) and os.access(self._folder, os.W_OK)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Begin a read transaction on a snapshot of the database.

        Raises:
            StorageError: The database can't be read. The error's subclass says why.
        """
        with translated_sqlite_errors, self._reader.taken(writable=self.writable, reads=True) as connection:
            connection.execute("BEGIN")
            try:
                require_not_newer(connection, self.migrations)
                with _limited(connection):
                    yield connection
            finally:
                # SQLite ends a transaction by itself after some errors.
                if connection.in_transaction:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Begin a write transaction. Commit durably at the end of the block; roll back on an exception.

        Raises:
            StorageError: The database can't be written. The error's subclass says why.
        """
        with translated_sqlite_errors:
            if not self.writable and self.path.exists():
                raise failure("read-only" if os.access(self.path, os.R_OK) else "unopenable")
            with self._writer.taken(writable=True) as connection:
                with immediate(connection, self._writer.queue.turn(self._writer.patience.deadline)):
                    require_not_newer(connection, self.migrations)
                    yield connection
                self._writer.require_present()

    def version(self) -> Version:
        """Return a value that differs after each change of the database by another connection.

        Raises:
            StorageError: The database can't be read. The error's subclass says why.
        """
        with translated_sqlite_errors, self._reader.taken(writable=self.writable, reads=True) as connection:
            return connection, connection.execute("PRAGMA data_version").get

    @contextmanager
    def examining(self, *, writable: bool = False) -> Iterator[apsw.Connection]:
        """Open a transaction on a separate connection, for integrity checks.

        FTS5 checks an index against the cache of the connection. If another connection has rewritten an index
        since it was cached, the check would report false damage.

        Raises:
            StorageError: The database can't be read. The error's subclass says why.
        """
        with (
            closing(Database(self.path, self.migrations)) as fresh,
            fresh.writing() if writable else fresh.reading() as connection,
        ):
            yield connection

    def empty_log(self) -> bool:
        """Move the contents of the log into the database and empty the log.

        Returns:
            False if the log couldn't be emptied, because a reader still uses an old snapshot.

        Raises:
            StorageError: The database can't be written. The error's subclass says why.
        """
        with translated_sqlite_errors, self._writer.taken(writable=True) as connection:
            self._writer.patience.until(_CHECKPOINT_SECONDS)
            (blocked, _, _), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return not blocked

    def maintain(self, step: Step, *, wanted: Step | None = None) -> bool:
        """Run a step of maintenance on a file written by this process.

        The step is optional: it doesn't wait for other writers, and the next call retries a failed step.

        Args:
            step: Does some of the work. Returns True if more work may be pending.
            wanted: Returns True if the file needs the step even though this process hasn't written to it. It is
                called with the reading connection.

        Returns:
            The result of `step`; False if `step` was not run, or failed.
        """
        with suppress(StorageError), translated_sqlite_errors:
            with self._reader.spare() as reader:
                opening = bool(wanted and reader and self.writable and wanted(reader))
            with self._writer.spare(opening=opening) as connection:
                if connection is not None:
                    with immediate(connection):
                        require_not_newer(connection, self.migrations)
                        return step(connection)
        return False

    def close(self) -> None:
        """Close both connections. If another thread uses a connection, it is closed at the end of that call."""
        self._reader.close()
        self._writer.close()
