"""The bytes of a database's file, whatever they are, read by way of SQLite.

A file that this process opens and closes by itself loses all the locks that the process has on it, and other
processes would take its connections for gone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

_HEADER_BYTES = 100
_CHUNK_BYTES = 1 << 20


def copy(path: Path, to: Path) -> None:
    """Copies the bytes of a database, whatever they are, into the file `to`, which is there."""
    with _opened(path) as source, to.open("wb") as target:
        size = source.xFileSize()
        for start in range(0, size, _CHUNK_BYTES):
            target.write(source.xRead(min(_CHUNK_BYTES, size - start), start))
        target.flush()
        os.fsync(target.fileno())


def header(path: Path) -> bytes:
    """Its first bytes, in which a database says what it is; fewer where there are no more."""
    with _opened(path) as file:
        return file.xRead(min(file.xFileSize(), _HEADER_BYTES), 0)


@contextmanager
def _opened(path: Path) -> Iterator[apsw.VFSFile]:
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        yield file
    finally:
        file.xClose()
