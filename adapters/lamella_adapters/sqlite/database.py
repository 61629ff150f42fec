"""One SQLite file of ours: short transactions for reading and writing, from any thread."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import apsw
from attrs import define, field

from lamella.domain.errors import StorageGoneError, StorageTooNewError
from lamella_adapters.sqlite import files
from lamella_adapters.sqlite.connection import (
    BUSY_SECONDS,
    Patience,
    beside,
    busy,
    connect,
    in_our_words,
    read_only,
)

_Identity = tuple[int, ...] | None

Version = tuple[apsw.Connection, int]
"""A connection, and the number of the changes by others that it has seen; another connection counts anew."""

_CHECKPOINT_SECONDS = 0.1
"""How long emptying the log waits for readers; it keeps every writer waiting meanwhile."""

_READER_CACHE_KILOBYTES, _WRITER_CACHE_KILOBYTES = 1_000, 500
"""Pages that a connection keeps: a search reads hundreds of them, a save touches a dozen."""


@define(eq=False)
class Database:
    """A file with one connection for reading and one for writing, opened when first needed.

    A reader never waits for a writer. Threads of this process take turns at each connection, and give up after
    as long as they would wait for another process.
    """

    path: Path
    migrations: Sequence[str]
    file: str = field(init=False)
    _folder: str = field(init=False)
    """The path and the folder it is in as `os` takes them, since a call asks it several times."""
    _seen: tuple[_Identity, _Identity] = (None, None)
    """The file that was opened last, and the log beside it."""
    _reader: "_SharedConnection" = field(init=False)
    _writer: "_SharedConnection" = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.file, self._folder = os.fspath(self.path), os.fspath(self.path.parent)
        self._reader = _SharedConnection(self, _READER_CACHE_KILOBYTES)
        self._writer = _SharedConnection(self, _WRITER_CACHE_KILOBYTES)

    @property
    def writable(self) -> bool:
        """Whether this user may write to the file and make SQLite's own files beside it."""
        return os.access(self.file, os.W_OK) and os.access(self._folder, os.W_OK)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A transaction that sees one state of the database.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with in_our_words():
            connection = self._reader.take(writable=self.writable)
            try:
                connection.execute("BEGIN")
                try:
                    files.require_not_newer(connection, self.migrations)
                    yield connection
                finally:
                    # SQLite ends a transaction by itself after some errors.
                    if connection.in_transaction:
                        connection.execute("COMMIT")
            finally:
                self._reader.give_back()

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A transaction that is durable when the block ends, and did not happen if it raises.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with in_our_words():
            if not self.writable and self.path.exists():
                raise read_only()
            connection = self._writer.take(writable=True)
            try:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    files.require_not_newer(connection, self.migrations)
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                self._writer.require_present()
            finally:
                self._writer.give_back()

    def version(self) -> Version:
        """What is another as soon as somebody else has changed the file.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with in_our_words():
            connection = self._reader.take(writable=self.writable)
            try:
                return connection, connection.execute("PRAGMA data_version").get
            finally:
                self._reader.give_back()

    @contextmanager
    def examining(self, *, writable: bool = False) -> Iterator[apsw.Connection]:
        """A connection of its own for a thorough look.

        FTS5 answers an integrity check from what its connection remembers of the index, so that one which has
        read it before another connection rewrote it would report damage that is not there.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        fresh = Database(self.path, self.migrations)
        try:
            with fresh.writing() if writable else fresh.reading() as connection:
                yield connection
        finally:
            fresh.close()

    def empty_log(self) -> bool:
        """Moves what is in the log into the database and empties it; whether all who read let it.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with in_our_words():
            connection = self._writer.take(writable=True)
            try:
                self._writer.patience.until(_CHECKPOINT_SECONDS)
                (blocked, _, _), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._writer.give_back()
            return not blocked

    def tidy(self, statements: Sequence[str]) -> bool:
        """Runs what tidies up where this process has written, unless anybody is at work; whether it did anything.

        Nothing depends on it, so that it waits for nobody and what fails is left to the next.
        """
        with self._writer.spare() as connection, suppress(apsw.Error, StorageTooNewError):
            if connection is not None:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    files.require_not_newer(connection, self.migrations)
                    before = connection.total_changes()
                    for statement in statements:
                        connection.execute(statement)
                    # A merge that finds nothing to do is one change ("The 'merge' command", sqlite.org/fts5.html).
                    merged = connection.total_changes() - before > len(statements)
                    connection.execute("COMMIT")
                    return merged
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        return False

    def disown_log(self) -> None:
        """Sets the log of the file that was here before aside, if that was another one."""
        file, log = self._seen
        if file not in (None, _identity(self.file, writable=True)):
            files.disown_log(self.path, lambda there: _identity(there, writable=True) == log)

    def remember_log(self) -> None:
        """Remembers which file was opened, and which log is its own."""
        self._seen = _identity(self.file, writable=True), _identity(beside(self.path)[0], writable=True)

    def close(self) -> None:
        """Closes what no other thread is using; a connection that one is using ends with the process."""
        self._reader.close()
        self._writer.close()


@define(eq=False)
class _SharedConnection:
    """One connection and whose turn it is."""

    database: Database
    cache_kilobytes: int
    turn: Lock = field(factory=Lock)
    patience: Patience = field(factory=Patience)
    connection: apsw.Connection | None = None
    identity: _Identity = None
    writable: bool = True
    ending: bool = False

    def take(self, *, writable: bool) -> apsw.Connection:
        """The connection, for this thread alone until it is given back, opened anew where the file is another."""
        # One deadline for all that a call waits for: other threads here, then other processes.
        deadline = time.monotonic() + BUSY_SECONDS
        if not self.turn.acquire(timeout=BUSY_SECONDS):
            raise busy()
        try:
            self.patience.deadline = deadline
            return self._present(writable=writable)
        except BaseException:
            self.give_back()
            raise

    def give_back(self) -> None:
        """Lets the next thread have it, or closes it where that was asked for meanwhile."""
        if self.ending:
            self._forget()
        self.turn.release()

    @contextmanager
    def spare(self) -> Iterator[apsw.Connection | None]:
        """The connection, if it is open and no other thread has it; it waits for no other process either."""
        if not self.turn.acquire(blocking=False):
            yield None
            return
        try:
            self.patience.until(0)
            yield self.connection
        finally:
            self.give_back()

    def require_present(self) -> None:
        """Makes sure that what was just written went into the file that others see.

        Raises:
            StorageGoneError: the file was deleted or replaced in the meantime.
        """
        if _identity(self.database.file, writable=self.writable) != self.identity:
            self._forget()
            raise StorageGoneError(
                reason="This memory was deleted or replaced while it was being written; nothing was saved.",
                advice="Put it back if you moved it, then try again, or run: lamella doctor",
            )

    def close(self) -> None:
        """Closes the connection, or has the thread that holds it do so at the end of its call."""
        self.ending = True
        if self.turn.acquire(blocking=False):
            try:
                self._forget()
            finally:
                self.turn.release()

    def _present(self, *, writable: bool) -> apsw.Connection:
        path = self.database.path
        identity = _identity(self.database.file, writable=writable)
        if self.connection is not None and identity == self.identity:
            return self.connection
        was_open = self.connection is not None
        self._forget()
        if identity is None:
            missing = "was deleted while it was open" if was_open else "is missing"
            raise StorageGoneError(
                reason=f"This project's memory {missing}; nothing was saved.",
                advice="Put it back if you moved it, then try again, or run: lamella doctor",
            )
        files.require_ours(path)
        if writable:
            self.database.disown_log()
        connection = connect(path, writable=writable)
        try:
            connection.execute(f"PRAGMA cache_size = -{self.cache_kilobytes}").fetchall()
            files.migrate(connection, path, self.database.migrations, writable=writable)
            if writable:
                # A backup that was put in the place of the file has no log yet.
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except BaseException:
            connection.close()
            raise
        connection.set_busy_handler(self.patience)
        self.connection, self.identity, self.writable = connection, identity, writable
        self.database.remember_log()
        self.ending = False
        return connection

    def _forget(self) -> None:
        self.ending = False
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _identity(path: str | Path, *, writable: bool) -> _Identity:
    """What tells one file from another under the same name; None where there is none.

    What cannot be written is read without SQLite's locks, so that it counts as another when it has changed; also
    when it can be written again.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - see above
    except FileNotFoundError:
        return None
    if writable:
        return status.st_dev, status.st_ino
    written = [status.st_mtime_ns, status.st_size]
    with suppress(FileNotFoundError):
        log = beside(Path(path))[0].stat()
        written += [log.st_mtime_ns, log.st_size]
    return status.st_dev, status.st_ino, *written
