"""One SQLite file of ours: short transactions for reading and writing, from any thread."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import apsw
from attrs import define, field

from lamella.domain.errors import StorageGoneError
from lamella_adapters.sqlite import files
from lamella_adapters.sqlite.connection import BUSY_SECONDS, busy, connect, in_our_words, read_only


@define(eq=False)
class Database:
    """A file with one connection for reading and one for writing, opened when first needed.

    A reader never waits for a writer. Threads of this process take turns at each connection, and give up after
    as long as they would wait for another process.
    """

    path: Path
    migrations: Sequence[str]
    _reader: "_Line" = field(init=False)
    _writer: "_Line" = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reader = _Line(self)
        self._writer = _Line(self)

    @property
    def writable(self) -> bool:
        """Whether this user may write to the file and make SQLite's own files beside it."""
        return os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A transaction that sees one state of the database.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with in_our_words(), self._reader.held(writable=self.writable) as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A transaction that is durable when the block ends, and did not happen if it raises.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with in_our_words():
            if self.path.exists() and not self.writable:
                raise read_only()
            with self._writer.held(writable=True) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
                self._writer.require_present()

    @contextmanager
    def examining(self) -> Iterator[apsw.Connection]:
        """A connection of its own for a thorough look.

        FTS5 answers an integrity check from what its connection remembers of the index, so that one which has
        read it before another connection rewrote it would report damage that is not there.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        fresh = Database(self.path, self.migrations)
        try:
            with fresh.reading() as connection:
                yield connection
        finally:
            fresh.close()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, for what SQLite does only there.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with in_our_words(), self._writer.held(writable=True) as connection:
            yield connection

    def close(self) -> None:
        """Closes what no other thread is using; a connection that one is using ends with the process."""
        self._reader.close()
        self._writer.close()


@define(eq=False)
class _Line:
    """One connection and whose turn it is."""

    database: Database
    turn: Lock = field(factory=Lock)
    connection: apsw.Connection | None = None
    identity: tuple[int, int] = (0, 0)

    @contextmanager
    def held(self, *, writable: bool) -> Iterator[apsw.Connection]:
        """The connection, for this thread alone, opened anew where the file is another than it was."""
        deadline = time.monotonic() + BUSY_SECONDS
        if not self.turn.acquire(timeout=BUSY_SECONDS):
            raise busy()
        try:
            if time.monotonic() > deadline:
                raise busy()
            yield self._present(writable=writable)
        finally:
            self.turn.release()

    def require_present(self) -> None:
        """Makes sure that what was just written went into the file that others see.

        Raises:
            StorageGoneError: the file was deleted or replaced in the meantime.
        """
        if _identity(self.database.path) != self.identity:
            self._forget()
            raise StorageGoneError(
                reason="This memory was deleted or replaced while it was being written; nothing was saved.",
                advice="Put it back if you moved it, then try again, or run: lamella doctor",
            )

    def close(self) -> None:
        """Closes the connection unless a thread holds it."""
        if self.turn.acquire(blocking=False):
            try:
                self._forget()
            finally:
                self.turn.release()

    def _present(self, *, writable: bool) -> apsw.Connection:
        identity = _identity(self.database.path)
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
        files.require_ours(self.database.path)
        connection = connect(self.database.path, writable=writable)
        try:
            files.migrate(connection, self.database.path, self.database.migrations, writable=writable)
        except BaseException:
            connection.close()
            raise
        self.connection, self.identity = connection, identity
        return connection

    def _forget(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells one file from another under the same name; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
