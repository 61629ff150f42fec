"""Read transcripts as bytes: divide them into lines, and check that a stored position still fits the file."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from lamella.domain.errors import TranscriptsUnreadableError
from lamella.domain.text.printing import printed_line
from lamella_adapters.process.calls import Descriptor, posix

MAX_RECORD_BYTES = 8 * 1024 * 1024
"""Maximum length of a line.

Longer lines are skipped without being kept in memory. Lines with pictures have a few megabytes.
"""

_PIECE_BYTES = 1024 * 1024

_NO_NAME = "it has no possible name"

_PROOF_BYTES = 4096
"""Number of bytes before a position to digest.

These bytes contain ids and times, so their digest identifies the file.
"""


@frozen
class Line:
    """One line of a file.

    Attributes:
        content: The bytes; None if the line is too long.
        length: The number of bytes.
        whole: True if the line is complete, including its end.
    """

    content: bytes | None
    length: int
    whole: bool


@contextmanager
def opened(path: Path, *, at_once: int = _PIECE_BYTES, follow: bool = False) -> Iterator[BinaryIO]:
    """Open a regular file for reading.

    Args:
        path: The path of the file.
        at_once: The size of the buffer, in bytes.
        follow: True to follow a symbolic link, as for a path given by the user.

    Raises:
        OSError: The file can't be opened, is a symbolic link, is not a regular file, or has an impossible name.
    """
    # Opening a pipe must not block.
    try:
        opening = Descriptor(os.open(path, os.O_RDONLY | posix.O_NONBLOCK | (0 if follow else posix.O_NOFOLLOW)))
    except ValueError:
        raise OSError(errno.EINVAL, _NO_NAME) from None
    with opening as descriptor:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with os.fdopen(descriptor, "rb", buffering=at_once, closefd=False) as file:
            yield file


def lines(file: BinaryIO, offset: int) -> Iterator[Line]:
    """Yield the lines from `offset` on. The last line may lack its end."""
    file.seek(offset)
    while piece := file.readline(MAX_RECORD_BYTES + 1):
        length = len(piece)
        content = piece if length <= MAX_RECORD_BYTES else None
        while content is None and not piece.endswith(b"\n") and (piece := file.readline(_PIECE_BYTES)):
            length += len(piece)
        yield Line(content, length, whole=(content or piece).endswith(b"\n"))


def digest_before(file: BinaryIO, offset: int) -> str:
    """Return a hexadecimal digest of the bytes before `offset`; empty if the file is shorter."""
    begin = max(0, offset - _PROOF_BYTES)
    if offset > os.fstat(file.fileno()).st_size:
        return ""
    file.seek(begin)
    return blake2b(file.read(offset - begin), digest_size=16).hexdigest()


def reason(error: Exception) -> str:
    """Return the reason why a file can't be read, as a sentence for the user."""
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "it is a symbolic link, and those are not followed"
    return error.strerror or "input and output failed" if isinstance(error, OSError) else _NO_NAME


def unreadable(path: Path, error: Exception) -> TranscriptsUnreadableError:
    """Return the error about an unreadable file or folder. The reason in the error doesn't repeat the path."""
    if isinstance(error, OSError) and error.errno == errno.EINVAL:
        return refused(path, reason(error))
    return refused(path, reason(error), "Check that it exists and that you may read it, then try again.")


def refused(
    path: Path, reason: str, advice: str = "Check that it is the right file."
) -> TranscriptsUnreadableError:
    """Return the error about a file that isn't a transcript, with the reason and advice."""
    return TranscriptsUnreadableError(reason=f"{printed_line(path.name)} cannot be read: {reason}.", advice=advice)
