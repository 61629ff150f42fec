"""Raw bytes of a database file, read and written through SQLite's VFS.

If the process opened and closed the file directly, it would lose all its POSIX locks on the file. Other processes
would then treat its SQLite connections as closed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

_HEADER_BYTES = 100
_CHUNK_BYTES = 1 << 20
_LOGGED = b"\2\2"
"""Header bytes 18 and 19 of a database with a write-ahead log. A database from memory has other bytes there."""
_WRITTEN_BYTES = 1 << 16
"""Maximum size of a single write through SQLite's VFS, which expects pages."""


def copy(path: Path, to: Path) -> None:
    """Copy the bytes of a database, broken or not, into the existing file `to`."""
    with _opened(path) as source, to.open("wb") as target:
        size = source.xFileSize()
        for start in range(0, size, _CHUNK_BYTES):
            target.write(source.xRead(min(_CHUNK_BYTES, size - start), start))
        target.flush()
        os.fsync(target.fileno())


def header(path: Path) -> bytes:
    """Return the 100 bytes of the header. If the file is shorter, return the whole file."""
    with _opened(path) as file:
        return file.xRead(min(file.xFileSize(), _HEADER_BYTES), 0)


def write(path: Path, image: bytes) -> None:
    """Write a database from memory into the existing file `path`, turn WAL on, and flush the file to disk.

    Raises:
        apsw.Error: The file can't be written.
    """
    image = image[:18] + _LOGGED + image[20:]
    with _opened(path, apsw.SQLITE_OPEN_READWRITE) as file:
        for start in range(0, len(image), _WRITTEN_BYTES):
            file.xWrite(image[start : start + _WRITTEN_BYTES], start)
        file.xSync(apsw.SQLITE_SYNC_FULL)


@contextmanager
def _opened(path: Path, mode: int = apsw.SQLITE_OPEN_READONLY) -> Iterator[apsw.VFSFile]:
    file = apsw.VFSFile("", str(path), [mode | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        yield file
    finally:
        file.xClose()
