"""How much was ever saved in a project's file, noted beside it, so that it is noticed when some of it is gone.

A log that was cut or deleted takes acknowledged memories with it, and leaves a file in which nothing is wrong. The
note is written after each save and not synced: that outlives every kill, and after a power loss the note may be
behind, which does no harm.
"""

import os
from contextlib import suppress
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file.files import FILE_MODE

_COUNT = "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence"
_DIGITS = 20


def of(connection: apsw.Connection) -> int:
    """How many numbers of memories and messages the file has given out; none is given out twice."""
    count: int = connection.execute(_COUNT).get
    return count


def noted(path: Path) -> int:
    """What the note beside the file at `path` says; 0 where there is none."""
    try:
        descriptor = os.open(_note(path), os.O_RDONLY)
    except OSError:
        return 0
    try:
        return _read(descriptor)
    finally:
        os.close(descriptor)


def note(path: Path, count: int) -> None:
    """Notes that so much is saved in the file at `path`, unless more was noted. What fails is left to the next."""
    with suppress(OSError):
        _write(path, count, least=count)


def renew(path: Path, count: int) -> None:
    """Notes that so much is saved, whatever was noted before.

    Raises:
        OSError: it can't be written.
    """
    _write(path, count, least=0)


def _write(path: Path, count: int, *, least: int) -> None:
    """Writes `count`, unless what is written is `least` or more."""
    descriptor = os.open(_note(path), os.O_CREAT | os.O_RDWR, FILE_MODE)
    try:
        if not least or _read(descriptor) < least:
            os.pwrite(descriptor, b"%*d\n" % (_DIGITS, count), 0)
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> int:
    try:
        return int(os.pread(descriptor, _DIGITS, 0))
    except (OSError, ValueError):
        return 0


def _note(path: Path) -> str:
    # For every save: pathlib would take as long as writing it.
    return str(path).removesuffix("db") + "count"
