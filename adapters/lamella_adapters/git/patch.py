"""What `git diff --numstat --patch` prints, file by file, and cut to size."""

import os
import re
from collections.abc import Mapping
from typing import Final

from attrs import frozen

MAX_FILE_CHARACTERS: Final = 4_000
"""How long the hunks of one file may be, with the line that says what was left out."""

MAX_CALL_CHARACTERS: Final = 20_000
"""How long the hunks of all files of one call may be together; beyond, long ones give way to short ones."""

MAX_LINE_CHARACTERS: Final = 300
"""Where a line is cut: what is longer was not written by hand."""

HEAD_BYTES: Final = 128 * 1024
"""How much of a file's hunks is kept until they are cut to size."""

LINE_CUT: Final = b"[...]"
"""What a line ends with that goes on."""

_LEFT_OUT_CHARACTERS: Final = 40
"""Room for the line that says how much was left out."""

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
    def lines(self) -> int:
        """How many lines came or went."""
        return (self.additions or 0) + (self.deletions or 0)


def parsed(output: bytes) -> dict[str, Counted]:
    """The changes in what `git diff --no-prefix --numstat --patch` printed, by path.

    A file that merely has another time than the index says has not changed; older versions of git count its lines,
    none, and print no patch.
    """
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


def bounded(
    changes: Mapping[str, Counted], *, file: int = MAX_FILE_CHARACTERS, call: int = MAX_CALL_CHARACTERS
) -> dict[str, str]:
    """The hunks of each change as text, within the limits of a file and of a call, in characters."""
    whole = {path: _cut(change, file) for path, change in changes.items()}
    share = min(file, _share([len(text) for text in whole.values()], call))
    return {path: text if len(text) <= share else _cut(changes[path], share) for path, text in whole.items()}


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
    return hunks if len(hunks) <= HEAD_BYTES else hunks[:HEAD_BYTES] + LINE_CUT


def _share(lengths: list[int], total: int) -> int:
    """The most that each may have so that all stay within `total`; short ones leave room to the others."""
    for taken, length in enumerate(sorted(lengths)):
        share = total // (len(lengths) - taken)
        if length > share:
            return share
        total -= length
    return max(lengths, default=0)


def _cut(change: Counted, limit: int) -> str:
    text = change.hunks.decode(errors="replace").removesuffix("\n")
    lines = [_cut_line(line) for line in text.split("\n")] if text else []
    text = "\n".join(lines)
    if len(text) <= limit and _changed(lines) >= change.lines:
        return text
    kept: list[str] = []
    room = limit - _LEFT_OUT_CHARACTERS
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    if left_out := change.lines - _changed(kept):
        kept.append(f"[...{left_out} more changed lines]")
    return "\n".join(kept)


def _cut_line(line: str) -> str:
    return line if len(line) <= MAX_LINE_CHARACTERS else line[:MAX_LINE_CHARACTERS] + LINE_CUT.decode()


def _changed(lines: list[str]) -> int:
    return sum(line.startswith(("+", "-")) for line in lines)
