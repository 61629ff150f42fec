"""Connection to one database file, shared by the threads of a process. If the file is replaced, it is reopened."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import apsw
from attrs import define, field

from lamella_adapters.sqlite.file.connection import Patience, beside, connect, deadline, failure
from lamella_adapters.sqlite.file.folders import locked, set_log_aside
from lamella_adapters.sqlite.file.migrate import migrate, require_ours
from lamella_adapters.sqlite.file.write_queue import WriteQueue, note_of

Identity = tuple[int, ...] | None
"""Numbers that distinguish two files of the same name; None for a missing file."""


def identity_of(path: str | Path, *, writable: bool) -> Identity:
    """Return the identity of the file at `path`.

    If the file isn't `writable`, it is read without SQLite's locks. Its identity then includes times and sizes, so
    that the identity changes with each write.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - faster than pathlib; runs twice in a save
    except FileNotFoundError:
        return None
    if writable:
        return status.st_dev, status.st_ino
    written = [status.st_mtime_ns, status.st_size]
    with suppress(FileNotFoundError):
        log = beside(Path(path))[0].stat()
        written += [log.st_mtime_ns, log.st_size]
    return status.st_dev, status.st_ino, *written


@define(eq=False, repr=False, slots=False)
class LogOwner:
    """Identities of the database file last opened at `path`, and of its write-ahead log."""

    path: Path
    _file: Identity = None
    _log: Identity = None

    def remember(self) -> None:
        """Record the identities of the present file, which was just opened, and of its log."""
        self._file, self._log = identity_of(self.path, writable=True), self._present_log()

    def set_foreign_log_aside(self) -> None:
        """If another file is at `path` now, set aside the log that the recorded file has left."""
        if self._file not in (None, identity_of(self.path, writable=True)):
            with locked(self.path.parent):
                if self._present_log() == self._log:
                    set_log_aside(self.path)

    def _present_log(self) -> Identity:
        return identity_of(beside(self.path)[0], writable=True)


@define(eq=False, repr=False, slots=False)
class SharedConnection:
    """Connection with a lock. Only one thread at a time uses the connection."""

    path: Path
    migrations: Sequence[str]
    log_owner: LogOwner
    cache_kilobytes: int
    lock: Lock = field(factory=Lock)
    queue: WriteQueue = field(init=False)
    patience: Patience = field(init=False)
    connection: apsw.Connection | None = None
    identity: Identity = None
    writable: bool = True
    ending: bool = False

    def __attrs_post_init__(self) -> None:
        self.queue = WriteQueue(note_of(self.path))
        self.patience = Patience(queue=self.queue)

    @contextmanager
    def taken(self, *, writable: bool, reads: bool = False) -> Iterator[apsw.Connection]:
        """Lock the connection for this thread. Reopen it if the file was replaced.

        Args:
            writable: True if this user may write to the file.
            reads: True if the caller only reads. The file is then opened read-only if the disk is full.
        """
        # One deadline applies to both: waiting for other threads, and waiting for other processes.
        until = deadline()
        if not self.lock.acquire(timeout=max(0, until - time.monotonic())):
            raise failure("occupied")
        try:
            self.patience.deadline = until
            try:
                connection = self._present(writable=writable)
            except (apsw.IOError, apsw.FullError):
                if not reads:
                    raise
                # A full disk has no room for SQLite's shared memory. A read-only connection works without it.
                connection = self._present(writable=False)
            yield connection
        except (apsw.ReadOnlyError, apsw.InterruptError):
            # Close the connection, so that the next call opens a new one. After an error, SQLite may have opened
            # the file or its log for reading only. After an interrupt, SQLite doesn't end a transaction with open
            # cursors.
            self._forget()
            raise
        finally:
            self._give_back()

    @contextmanager
    def spare(self, *, opening: bool = False) -> Iterator[apsw.Connection | None]:
        """Yield the connection, or None if another thread uses it. Don't wait for other threads or processes.

        If the connection is closed, open it if `opening` is true, or else yield None.
        """
        if not self.lock.acquire(blocking=False):
            yield None
            return
        try:
            self.patience.until(0)
            yield self._present(writable=True) if opening else self.connection
        finally:
            self._give_back()

    def require_present(self) -> None:
        """Check that the last write went into the file that other processes see at the path.

        Raises:
            StorageGoneError: The file was deleted or replaced in the meantime.
        """
        if identity_of(self.path, writable=self.writable) != self.identity:
            self._forget()
            raise failure("replaced")

    def close(self) -> None:
        """Close the connection. If another thread uses it, it is closed at the end of that thread's call."""
        self.ending = True
        if self.lock.acquire(blocking=False):
            self._give_back()

    def _give_back(self) -> None:
        """Unlock the connection. If `close` was called meanwhile, close the connection first."""
        try:
            if self.ending:
                self._forget()
        finally:
            self.lock.release()

    def _present(self, *, writable: bool) -> apsw.Connection:
        identity = identity_of(self.path, writable=writable)
        if self.connection is not None and identity == self.identity:
            return self.connection
        was_open = self.connection is not None
        self._forget()
        if identity is None:
            raise failure("gone", missing="was deleted while it was open" if was_open else "is missing")
        require_ours(self.path)
        if writable:
            self.log_owner.set_foreign_log_aside()
        connection = connect(self.path, writable=writable)
        try:
            connection.execute(f"PRAGMA cache_size = -{self.cache_kilobytes}").fetchall()
            migrate(connection, self.path, self.migrations, writable=writable)
            if writable:
                # If a backup was restored over the file, WAL is off.
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except BaseException:
            connection.close()
            raise
        connection.set_busy_handler(self.patience)
        self.connection, self.identity, self.writable = connection, identity, writable
        self.log_owner.remember()
        self.ending = False
        return connection

    def _forget(self) -> None:
        self.ending = False
        if self.connection is not None:
            if not self._is_at_its_path():
                # Closing would delete the log at this path, which may belong to another file by now. SQLite can't
                # notice that if a volume was mounted over another volume. It compares inode numbers without
                # devices, and they can be equal.
                self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self.connection.close()
            self.connection = None

    def _is_at_its_path(self) -> bool:
        with suppress(OSError):
            return identity_of(self.path, writable=self.writable) == self.identity
        return False
