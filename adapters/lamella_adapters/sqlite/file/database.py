"""One SQLite file of ours: short transactions for reading and writing, from any thread."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw
from attrs import define, field

from lamella.domain.errors import StorageTooNewError
from lamella_adapters.sqlite.file.connection import immediate, read_only, translate_sqlite_errors
from lamella_adapters.sqlite.file.migrate import require_not_newer
from lamella_adapters.sqlite.file.shared_connection import LogOwner, SharedConnection

Version = tuple[apsw.Connection, int]
"""A connection, and the number of changes by others that it has seen since it was opened."""

_CHECKPOINT_SECONDS = 0.1
"""Longest wait for readers while the log is emptied; every writer waits meanwhile."""

_READER_CACHE_KILOBYTES, _WRITER_CACHE_KILOBYTES = 1_000, 500
"""Page cache of a connection: a search reads hundreds of pages, a save touches a dozen."""


@define(eq=False)
class Database:
    """A file with one connection for reading and one for writing, opened when first needed.

    A reader never waits for a writer. Threads of this process take turns at each connection, and give up after
    the time that they would wait for another process.
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
        """Open a transaction that sees one state of the database.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with translate_sqlite_errors(), self._reader.taken(writable=self.writable) as connection:
            connection.execute("BEGIN")
            try:
                require_not_newer(connection, self.migrations)
                yield connection
            finally:
                # SQLite ends a transaction by itself after some errors.
                if connection.in_transaction:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Open a transaction that is durable when the block ends, and is rolled back if the block raises.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with translate_sqlite_errors():
            if not self.writable and self.path.exists():
                raise read_only()
            with self._writer.taken(writable=True) as connection:
                with immediate(connection):
                    require_not_newer(connection, self.migrations)
                    yield connection
                self._writer.require_present()

    def version(self) -> Version:
        """Return a value that changes as soon as another connection has changed the file.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with translate_sqlite_errors(), self._reader.taken(writable=self.writable) as connection:
            return connection, connection.execute("PRAGMA data_version").get

    @contextmanager
    def examining(self, *, writable: bool = False) -> Iterator[apsw.Connection]:
        """Open a transaction on a connection of its own, for integrity checks.

        FTS5 checks an index against what its connection has cached. A connection that read the index before
        another one rewrote it would report damage that is not there.

        Raises:
            StorageError: it cannot be read; the kind says why.
        """
        with (
            closing(Database(self.path, self.migrations)) as fresh,
            fresh.writing() if writable else fresh.reading() as connection,
        ):
            yield connection

    def empty_log(self) -> bool:
        """Move the contents of the log into the database and empty the log.

        Returns:
            False if a reader of an old state kept the log from being emptied.

        Raises:
            StorageError: it cannot be written; the kind says why.
        """
        with translate_sqlite_errors(), self._writer.taken(writable=True) as connection:
            self._writer.patience.until(_CHECKPOINT_SECONDS)
            (blocked, _, _), *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return not blocked

    def tidy(self, statements: Sequence[str]) -> bool:
        """Run statements of index maintenance on a file to which this process has written.

        Nothing depends on them, so they wait for no other writer, and a failure is left to the next call.

        Returns:
            True if they changed anything.
        """
        with self._writer.spare() as connection, suppress(apsw.Error, StorageTooNewError):
            if connection is not None:
                with immediate(connection):
                    require_not_newer(connection, self.migrations)
                    before = connection.total_changes()
                    for statement in statements:
                        connection.execute(statement)
                    # A merge that finds nothing to do is one change ("The 'merge' command", sqlite.org/fts5.html).
                    return connection.total_changes() - before > len(statements)
        return False

    def close(self) -> None:
        """Close the connections that no other thread is using; the others close at the end of their call."""
        self._reader.close()
        self._writer.close()
