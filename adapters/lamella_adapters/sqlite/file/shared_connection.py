"""A connection to one file of ours that the threads of a process share, and what tells that file from another."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import apsw
from attrs import define, field

from lamella.domain.errors import StorageGoneError
from lamella_adapters.sqlite.file import files
from lamella_adapters.sqlite.file.connection import (
    BUSY_SECONDS,
    Patience,
    beside,
    busy,
    connect,
)

if TYPE_CHECKING:
    from lamella_adapters.sqlite.file.database import Database

Identity = tuple[int, ...] | None
"""What tells one file from another under the same name; None where there is none."""


@define(eq=False)
class SharedConnection:
    """One connection and whose turn it is."""

    database: "Database"
    cache_kilobytes: int
    turn: Lock = field(factory=Lock)
    patience: Patience = field(factory=Patience)
    connection: apsw.Connection | None = None
    identity: Identity = None
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
        if identity_of(self.database.file, writable=self.writable) != self.identity:
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
        identity = identity_of(self.database.file, writable=writable)
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


def identity_of(path: str | Path, *, writable: bool) -> Identity:
    """What tells one file from another under the same name; None where there is none.

    What cannot be written is read without SQLite's locks, so that it counts as another when it has changed; also
    when it can be written again.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - asked twice in a save
    except FileNotFoundError:
        return None
    if writable:
        return status.st_dev, status.st_ino
    written = [status.st_mtime_ns, status.st_size]
    with suppress(FileNotFoundError):
        log = beside(Path(path))[0].stat()
        written += [log.st_mtime_ns, log.st_size]
    return status.st_dev, status.st_ino, *written
