"""One SQLite file of ours: short transactions for reading and writing, from any thread."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
from attrs import define, field

from lamella.domain.errors import StorageTooNewError
from lamella_adapters.sqlite.file import files
from lamella_adapters.sqlite.file.connection import beside, in_our_words, read_only
from lamella_adapters.sqlite.file.shared_connection import (
    Identity,
    SharedConnection,
    identity_of,
)

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
    _seen: tuple[Identity, Identity] = (None, None)
    """The file that was opened last, and the log beside it."""
    _reader: SharedConnection = field(init=False)
    _writer: SharedConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.file, self._folder = os.fspath(self.path), os.fspath(self.path.parent)
        self._reader = SharedConnection(self, _READER_CACHE_KILOBYTES)
        self._writer = SharedConnection(self, _WRITER_CACHE_KILOBYTES)

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
        if file not in (None, identity_of(self.file, writable=True)):
            files.disown_log(self.path, lambda there: identity_of(there, writable=True) == log)

    def remember_log(self) -> None:
        """Remembers which file was opened, and which log is its own."""
        self._seen = identity_of(self.file, writable=True), identity_of(beside(self.path)[0], writable=True)

    def close(self) -> None:
        """Closes what no other thread is using; a connection that one is using ends with the process."""
        self._reader.close()
        self._writer.close()
