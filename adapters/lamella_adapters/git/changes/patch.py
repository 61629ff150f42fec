"""What `git diff --numstat --patch` prints, file by file."""

import os
import re
from typing import Final

from attrs import frozen

from lamella.domain.ledger import hunks as hunk_text

HEAD_BYTES: Final = 128 * 1024
"""How much of a file's hunks is read."""

LINE_CUT: Final = hunk_text.LINE_CUT.encode()
"""What a line ends with that goes on, as everywhere."""

_BLANKS: Final = (b" ", b"\t", b"\n")

_COUNTS = re.compile(rb"(-|\d+)\t(-|\d+)\t(.+)")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


@frozen
class Counted:
    """One file's change: how many lines came and went (None in a binary file), and its hunks as git wrote them."""

    additions: int | None
    deletions: int | None
    hunks: bytes = b""

    @property
    def text(self) -> str:
        """Its hunks as text."""
        return self.hunks.decode(errors="replace").removesuffix("\n")


def beginning(text: bytes, most: int) -> bytes:
    """The first `most` bytes of a text at most, without the word that goes on behind them.

    Secrets are still in it: of one that was cut off, nobody could tell what its rest is.
    """
    return text if len(text) <= most else _whole_words(text[:most]) + LINE_CUT


def _whole_words(cut: bytes) -> bytes:
    """A text that ends anywhere, up to the end of a word."""
    return cut[: max(map(cut.rfind, _BLANKS)) + 1]


def parsed(output: bytes) -> dict[str, Counted]:
    """The changes in what `git diff --no-prefix --numstat --patch` printed, by path.

    A file that merely has another time than the index says has not changed; older versions of git count its lines,
    none, and print no patch.
    """
    if output and not output.endswith(b"\n"):
        output = _whole_words(output) + LINE_CUT  # more than is read
    # Every line inside a hunk begins with a space, `+`, `-` or a backslash, and git quotes a line end in a name:
    # so only the header of a file can begin like this.
    numbers, *patches = output.split(b"\ndiff --git ")
    hunks: dict[str, bytes] = {}
    for patch in patches:
        # The same name twice, since renames are not looked for. A file that became a link has two patches.
        header, _, body = patch.partition(b"\n")
        path = unquoted(header[: len(header) // 2])
        hunks[path] = hunks.get(path, b"") + _head(_from_first_hunk(body))
    found = {}
    for line in numbers.split(b"\n"):
        if match := _COUNTS.fullmatch(line):
            path = unquoted(match[3])
            found[path] = Counted(_count(match[1]), _count(match[2]), hunks.get(path, b""))
    return {path: change for path, change in found.items() if path in hunks or change != Counted(0, 0)}


def _count(number: bytes) -> int | None:
    return None if number == b"-" else int(number)


def unquoted(name: bytes) -> str:
    """The path that git wrote, in C's notation if it has control characters, quotes or backslashes."""
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    return os.fsdecode(name)


def _unescaped(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8)]) if len(escape) > 1 else _ESCAPED.get(escape, escape)


def _from_first_hunk(body: bytes) -> bytes:
    start = body.find(b"\n@@ ")
    return body[start + 1 :].removesuffix(b"\n") + b"\n" if start >= 0 else b""


def _head(hunks: bytes) -> bytes:
    head = beginning(hunks, HEAD_BYTES)
    if head is hunks or not head.endswith(b"\n" + LINE_CUT):
        return head
    # The sign of a line is no part of a word.
    return hunks[: len(head) - len(LINE_CUT) + 1] + LINE_CUT
