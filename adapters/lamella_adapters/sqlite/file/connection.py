"""A connection to one SQLite file, set up for several processes, and SQLite's errors in our words."""

import random
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

import apsw
from attrs import define

from lamella.domain.errors import (
    StorageBusyError,
    StorageDamagedError,
    StorageError,
    StorageReadOnlyError,
)
from lamella_adapters.sqlite.file.read_only import connect as read_only_connection

BUSY_SECONDS = 4.5
"""How long a writer waits for another process; with the rest of a call this stays under five seconds."""

_FIXED_IN = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""The first releases of their lines in which two connections cannot corrupt a WAL (the WAL-reset bug)."""


def require_sound_sqlite(version: str) -> None:
    """Refuses a SQLite library that can lose what several connections wrote.

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


@define(eq=False)
class Patience:
    """A busy handler that waits a random 0.5 to 1.5 ms each time, up to a moment that the caller sets.

    SQLite's own backs off ever longer, so that the last of eight writers waits eight times as long as the
    first; this one is fair within 20 % and its worst wait is an eighth of that.
    """

    deadline: float = 0.0
    """As `time.monotonic` counts; all waits of one call share it."""

    def until(self, seconds: float) -> None:
        """Waits no longer than `seconds` from now."""
        self.deadline = time.monotonic() + seconds

    def __call__(self, _attempts: int) -> bool:
        """Whether to try again."""
        if time.monotonic() > self.deadline:
            return False
        time.sleep(random.uniform(0.0005, 0.0015))  # noqa: S311 - spreads writers, keeps no secret
        return True


def connect(path: Path, *, writable: bool, patience: Patience | None = None) -> apsw.Connection:
    """Opens the existing database at `path`; without `patience` it waits for others as long as a call may.

    A database in a folder where nothing can be written is opened as it stands.

    Raises:
        apsw.Error: it cannot be opened.
    """
    require_sound_sqlite(apsw.sqlite_lib_version())
    if patience is None:
        patience = Patience()
        patience.until(BUSY_SECONDS)
    if writable:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    else:
        connection, _ = read_only_connection(str(path))
    try:
        # Else SQLite plans many a query (`a = ? ORDER BY b` is one) anew when it is asked with other values. That
        # takes several times as long as running it.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.set_busy_handler(patience)
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def beside(path: Path) -> tuple[Path, Path]:
    """The log of a database and the memory that its users share, which belong to the file at `path`."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def fetch(
    connection: apsw.Connection, statement: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[tuple[Any, ...]]:
    """The rows that `statement` gives; what is in them, the strict tables of the schema say."""
    return connection.execute(statement, values).fetchall()


class _InOurWords:
    """Has no state, so that one serves all; a generator would take three times as long where nothing is wrong."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and (said := _said(error)) is not None:
            raise said from error


_IN_OUR_WORDS = _InOurWords()


def in_our_words() -> AbstractContextManager[None]:
    """Translates the errors of SQLite and of the file system below it."""
    return _IN_OUR_WORDS


def _said(error: BaseException) -> StorageError | None:
    """What we say of an error of SQLite or of the file system; None of another."""
    match error:
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return busy()
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return read_only()
        case apsw.CorruptError() | apsw.NotADBError() | UnicodeDecodeError():
            return damaged()
        case apsw.FullError():
            reason, advice = "The disk is full; nothing was saved.", "Free some space and try again."
        case apsw.IOError():
            reason = "The disk or a file-size limit refused to write; nothing was saved."
            advice = "Check the disk, its quota and limits (ulimit -f), then try again."
        case apsw.CantOpenError():
            reason = "The memory database cannot be opened."
            advice = "Check its permissions with: lamella doctor"
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
    """Another process holds the write lock."""
    return StorageBusyError(
        reason="Another program is writing to this memory and did not finish in time; nothing was changed.",
        advice="Try again in a moment.",
    )


def read_only() -> StorageReadOnlyError:
    """Memories can be read and not written."""
    return StorageReadOnlyError(
        reason="The memory folder is read-only: memories can be recalled, and nothing can be changed.",
        advice="Make it writable, or set LAMELLA_DATA_DIR to a folder that is.",
    )


def damaged() -> StorageDamagedError:
    """The file is no database, or a broken one."""
    return StorageDamagedError(
        reason="This memory database is damaged or is none of lamella's; it was left untouched.",
        advice="Run: lamella doctor",
    )
