"""Reader of a large JSON list, element by element, for exports of any size.

Only brackets and ends of strings are parsed. This is enough to know where each element ends. An element that is
too large is skipped without keeping it in memory.
"""

import errno
import re
from collections.abc import Iterator
from typing import BinaryIO

from lamella_adapters.transcripts.files import Line

MAX_ELEMENT_BYTES = 16 * 1024 * 1024
"""Maximum length of an element.

Longer elements are skipped without being kept in memory. A long conversation has a few megabytes.
"""

_PIECE_BYTES = 1024 * 1024
_HEAD_BYTES = 1024

_BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[")
_ARCHIVE = b"PK\x03\x04"

# Groups are atomic, so that matching takes linear time for any text, and keeps no states to backtrack to. Groups
# have no possessive quantifiers, because these match too much before Python 3.11.5.
_BETWEEN_BRACKETS = re.compile(rb'(?>(?:[^"\[\]{}]++|"(?>(?:[^"\\]++|\\.)*)")*)', re.DOTALL)
_WITHIN_STRING = re.compile(rb"(?>(?:[^\"\\]++|\\.)*)", re.DOTALL)

_SEPARATORS = b", \t\r\n"


def elements(file: BinaryIO, offset: int) -> Iterator[Line]:
    """Yield the objects and lists in a file's list as lines, from `offset` on.

    `offset` must be 0, the end of an element, or the end of the list.

    The last line covers the text after the list, and has no content. The last line is incomplete if the file is
    truncated, or if the text after the list isn't blank.

    Raises:
        OSError: The file is not a list.
    """
    file.seek(offset)
    element = _Element()
    if not offset:
        element.length = _begin(file)
    while piece := file.read(_PIECE_BYTES):
        start = 0
        for end, closes in element.ends(piece):
            if closes:
                rest = piece[end:] + file.read(_PIECE_BYTES)
                length = element.length + end - start + len(rest) + _rest(file)
                yield Line(b"\n", length, whole=not rest.strip())
                return
            yield element.take(piece[start:end], ends=True)
            start = end
        element.keep(piece[start:])
    last = element.take(b"", ends=False)
    # If the whole list was read before, and the file was only touched or rewritten since, nothing is left to read.
    closed = last.content == b"" and file.tell() - last.length == offset and _is_closed(file, offset)
    yield Line(b"\n", last.length, whole=True) if closed else last


class _Element:
    """The current element: its bytes so far, and the state of the parser inside it."""

    def __init__(self) -> None:
        self.length = 0
        self._kept = bytearray()
        self._depth = 0
        self._in_string = False
        self._escaped = False

    def ends(self, piece: bytes) -> Iterator[tuple[int, bool]]:
        """Yield the position after each element that ends in `piece`, with False.

        If the whole list ends in `piece`, also yield the position after its end, with True.
        """
        at, size = 0, len(piece)
        while at < size:
            if self._escaped:
                self._escaped = False
                at += 1
            elif self._in_string:
                at = _end(_WITHIN_STRING, piece, at)
                self._in_string = piece[at : at + 1] != b'"'
                self._escaped = piece[at : at + 1] == b"\\"
                at += 1
            else:
                at = _end(_BETWEEN_BRACKETS, piece, at)
                bracket = piece[at : at + 1]
                at += 1
                if bracket == b'"':
                    self._in_string = True
                elif bracket:
                    self._depth += 1 if bracket in b"[{" else -1
                    if self._depth <= 0 and bracket in b"]}":
                        yield at, self._depth < 0

    def keep(self, part: bytes) -> None:
        """Add a part, unless the element is too long already."""
        self.length += len(part)
        if self.length <= MAX_ELEMENT_BYTES:
            self._kept += part

    def take(self, part: bytes, *, ends: bool) -> Line:
        """Return the element with its last part, and begin the next one."""
        self.keep(part)
        content = bytes(self._kept.lstrip(_SEPARATORS)) if self.length <= MAX_ELEMENT_BYTES else None
        line = Line(content, self.length, whole=ends)
        self.length = 0
        self._kept.clear()
        return line


def _end(pattern: re.Pattern[bytes], piece: bytes, at: int) -> int:
    """Return the end of the match at a position, or the position itself if nothing matches."""
    found = pattern.match(piece, at)
    return found.end() if found else at


def _begin(file: BinaryIO) -> int:
    """Read up to the start of the list, and return the number of bytes."""
    head = file.read(_HEAD_BYTES)
    found = _BEGIN.match(head)
    if found is None:
        archive = head.startswith(_ARCHIVE)
        raise OSError(errno.EINVAL, "unpack it first" if archive else "it is not a list of conversations")
    file.seek(found.end())
    return found.end()


def _is_closed(file: BinaryIO, offset: int) -> bool:
    """Return True if the transcript's JSON list was closed by a `]` just before `offset`."""
    file.seek(max(0, offset - _HEAD_BYTES))
    return file.read(min(offset, _HEAD_BYTES)).rstrip().endswith(b"]")


def _rest(file: BinaryIO) -> int:
    """Return the number of bytes up to the end of a file, from the current position."""
    at = file.tell()
    return file.seek(0, 2) - at
