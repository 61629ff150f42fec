"""Save counter: a note beside a project's file of how much was ever saved in it, so that losses are noticed.

A log that was cut or deleted takes acknowledged memories with it, and leaves a file without any visible damage. So
does an older copy of the file. Nothing is read or saved then until `doctor` was told to take what is there.
The note is written after each save and not synced. It survives every kill; after a power loss it may lag behind,
which does no harm.
"""

import os
from contextlib import suppress
from pathlib import Path

import apsw

from lamella.domain.errors import StorageGoneError
from lamella_adapters.sqlite.file.folders import new_file

COUNT = "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence"
"""Query for the count of a file."""

_DIGITS = 20
_PLAIN_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Options for opening: a link in its place is not followed, and a pipe is not waited for."""

WHY_MISSING = "the log was cut or deleted, or an older copy of the file was put back"


def count_saved(connection: apsw.Connection) -> int:
    """Return how many numbers of memories, messages and entries the file has given out, none of them twice."""
    count: int = connection.execute(COUNT).get
    return count


def noted_count(path: Path) -> int:
    """Return the count in the note beside the file at `path`; 0 if there is no note."""
    try:
        descriptor = os.open(note_of(path), os.O_RDONLY | _PLAIN_FILE)
    except OSError:
        return 0
    try:
        return _read(descriptor)
    finally:
        os.close(descriptor)


def require_all_saved(saved: int, noted: int) -> None:
    """Check that a file has given out as many numbers as were `noted` before.

    Raises:
        StorageGoneError: memories or messages are missing.
    """
    missing = noted - saved
    if missing > 0:
        raise StorageGoneError(
            reason=f"{missing} memories or messages of this project are missing: {WHY_MISSING};"
            " nothing was saved.",
            advice="Put the newer file back, or take what is there for all there is: lamella doctor --repair",
        )


def raise_count(path: Path, count: int) -> None:
    """Note `count` for the file at `path` unless the note is higher. A failure is left to the next save."""
    with suppress(OSError):
        _write(path, count, least=count)


def reset_count(path: Path, count: int) -> None:
    """Note `count` for the file at `path`, even if the note is higher.

    Raises:
        OSError: it can't be written.
    """
    _write(path, count, least=0)


def _write(path: Path, count: int, *, least: int) -> None:
    """Write `count`, unless the note is `least` or more."""
    descriptor = _opened(note_of(path))
    try:
        if not least or _read(descriptor) < least:
            os.pwrite(descriptor, b"%*d\n" % (_DIGITS, count), 0)
    finally:
        os.close(descriptor)


def _opened(note: str) -> int:
    try:
        return os.open(note, os.O_RDWR | _PLAIN_FILE)
    except FileNotFoundError:
        with suppress(FileExistsError):
            new_file(Path(note))
        return os.open(note, os.O_RDWR | _PLAIN_FILE)


def _read(descriptor: int) -> int:
    try:
        return int(os.pread(descriptor, _DIGITS, 0))
    except (OSError, ValueError):
        return 0


def note_of(path: Path) -> str:
    """Return the path of the note beside the file at `path`."""
    # In every save: pathlib would take as long as writing the note.
    return str(path).removesuffix("db") + "count"
