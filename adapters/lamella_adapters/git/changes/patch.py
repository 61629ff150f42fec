"""Parser of the output of `git diff --numstat --patch`."""

import os
import re
from typing import Final

from attrs import frozen

from lamella.domain.ledger import hunks as hunk_text
from lamella.domain.memories.observation import CodeChange

HEAD_BYTES: Final = 128 * 1024
"""Maximum bytes of a file's hunks. Longer hunks are truncated."""

AS_COMPARED: Final = ("--find-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
AS_READ: Final = ("--patch", *AS_COMPARED, "--unified=3", "--inter-hunk-context=0", "--no-color", "--no-prefix")
"""Options for git that make its patches parsable, whatever the user's configuration."""

LINE_CUT: Final = hunk_text.LINE_CUT.encode()
"""End of a truncated text."""

_BLANKS: Final = (b" ", b"\t", b"\n")

_COUNTS = re.compile(rb"(-|\d+)\t(-|\d+)\t(.+)")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


@frozen
class Counted:
    """Change of a file: hunks as git's bytes, and numbers of changed lines, which are None in a binary file."""

    additions: int | None
    deletions: int | None
    hunks: bytes = b""

    def change(self, path: str, former: str | None = None) -> CodeChange:
        """Return the change of the file at `path`, with decoded hunks."""
        hunks = self.hunks.decode(errors="replace").removesuffix("\n")
        return CodeChange(
            path=path, former=former, additions=self.additions, deletions=self.deletions, hunks=hunks
        )


def beginning(text: bytes, most: int) -> bytes:
    """Truncate a text to `most` bytes, at the end of a word.

    Secrets in the text are redacted only later. A secret without its end would not be recognised.
    """
    return text if len(text) <= most else _whole_words(text[:most]) + LINE_CUT


def _whole_words(cut: bytes) -> bytes:
    """Return a text up to the end of its last whole word."""
    return cut[: max(map(cut.rfind, _BLANKS)) + 1]


def parsed(output: bytes) -> dict[str, Counted]:
    """Return the changes printed by `git diff --no-prefix --numstat --patch`, keyed by path.

    If only the modification time of a file has changed, older versions of git list the file without a patch. Such
    files are left out.
    """
    if output and not output.endswith(b"\n"):
        output = _whole_words(output) + LINE_CUT  # truncated
    # Only the header of a file can begin with `diff`: each line of a hunk begins with a space, `+`, `-` or a
    # backslash, and git quotes line endings in names.
    numbers, *patches = output.split(b"\ndiff --git ")
    hunks: dict[str, bytes] = {}
    for patch in patches:
        # The header has the same name twice, because renames are off. A file that became a link has two patches.
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
    """Decode a path printed by git, with control characters, quotes and backslashes escaped as in C."""
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
    # Keep the first character of the truncated line, which is the sign of the line, not a part of a word.
    return hunks[: len(head) - len(LINE_CUT) + 1] + LINE_CUT
