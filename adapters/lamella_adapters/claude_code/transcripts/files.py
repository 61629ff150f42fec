"""A transcript as bytes: lines that are whole, and a position that can be proved."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

MAX_RECORD_BYTES = 8 * 1024 * 1024
"""A longer line is passed over without being held; pictures make the longest, of a few megabytes."""

_PIECE_BYTES = 1024 * 1024

_PROOF_BYTES = 4096
"""How much before a position proves that it is still one of this file: it holds ids and times."""


@frozen
class Line:
    """One line of a file. `content` is None where it is too long, `whole` is whether its end is there yet."""

    content: bytes | None
    length: int
    whole: bool


@contextmanager
def opened(path: Path, *, at_once: int = _PIECE_BYTES) -> Iterator[BinaryIO]:
    """A file for reading, of which so many bytes are read `at_once`.

    Raises:
        OSError: it can't be opened, or is a symbolic link or no file.
        ValueError: it has a name that no file can have.
    """
    # Neither a link nor a pipe that someone put there is waited for or followed.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no file")
        with os.fdopen(descriptor, "rb", buffering=at_once, closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def lines(file: BinaryIO, offset: int) -> Iterator[Line]:
    """The lines from `offset` on; the last one may lack its end."""
    file.seek(offset)
    while piece := file.readline(MAX_RECORD_BYTES + 1):
        length = len(piece)
        content = piece if length <= MAX_RECORD_BYTES else None
        while content is None and not piece.endswith(b"\n") and (piece := file.readline(_PIECE_BYTES)):
            length += len(piece)
        yield Line(content, length, whole=(content or piece).endswith(b"\n"))


def digest_before(file: BinaryIO, offset: int) -> str:
    """A digest of what stands before `offset`, in hexadecimal digits; empty where the file is shorter."""
    begin = max(0, offset - _PROOF_BYTES)
    if offset > os.fstat(file.fileno()).st_size:
        return ""
    file.seek(begin)
    return blake2b(file.read(offset - begin), digest_size=16).hexdigest()


def why(error: Exception) -> str:
    """Why a file could not be read, for people."""
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "it is a symbolic link, and those are not followed"
    return error.strerror or "input and output failed" if isinstance(error, OSError) else "it has no possible name"
