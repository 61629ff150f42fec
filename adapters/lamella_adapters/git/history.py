"""The history of a repository, as its log tells it."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from attrs import define, field, frozen

from lamella.domain.changes import MAX_HUNK_CHARACTERS
from lamella.domain.errors import HistoryUnreadableError
from lamella.domain.observation import CodeChange
from lamella.ports.history import CodeHistory, Commit
from lamella_adapters.git.patch import HEAD_BYTES, Counted, bounded, unquoted
from lamella_adapters.git.process import Git, GitFailedError

_AT_ONCE = 25
"""Commits that one process of git tells of."""

_MAX_COMMIT_BYTES = 4 * 1024 * 1024
"""Where reading of a commit stops: what is larger was not written by hand."""

_MAX_FILES = 100
"""Files of a commit that are kept: of more, the first ones and the last."""

_MAX_COMMIT_CHARACTERS = 1_000_000
"""How long the hunks of all files of a commit may be together."""

_MAX_MESSAGE_BYTES = 8_000

# No line of a patch begins with a NUL, but with one of a few signs; and none is in a message.
_FORMAT = "--format=%x00%H%x00%ct%x00%B%x00"
_LOG = (
    "-c",
    "core.bigFileThreshold=1m",  # of larger files there is no patch
    "-c",
    "log.showSignature=false",
    "log",
    "--no-walk=unsorted",
    _FORMAT,
    "--patch",
    "--find-renames",
    "--unified=3",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-notes",
    "--no-prefix",
    "--no-textconv",
    "--encoding=UTF-8",
    "--ignore-submodules=all",
)


@frozen
class GitHistory(CodeHistory):
    """The commits that lead to HEAD.

    `patience` is how many seconds git may take for what it is asked at once.
    """

    program: str = "git"
    patience: float = 60.0

    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        """See `CodeHistory.commits`."""
        order = ("--no-merges", "--date-order", "--reverse", f"--max-count={limit}", "HEAD")
        listed = self._git(root).ask("rev-list", *order)
        if listed is None:
            raise HistoryUnreadableError(
                reason="There is no git history here that can be read.",
                advice="Run this in a repository that has commits, with git installed.",
            )
        return tuple(listed.decode().split())

    def read(self, root: Path, ids: Sequence[str]) -> Iterator[Commit]:
        """See `CodeHistory.read`."""
        left = iter(ids)
        while some := list(islice(left, _AT_ONCE)):
            try:
                yield from _commits(self._git(root).stream(*_LOG, *some))
            except GitFailedError as error:
                raise HistoryUnreadableError(
                    reason="Git did not tell of all commits.", advice="Check with `git fsck`, then repeat this."
                ) from error

    def _git(self, root: Path) -> Git:
        return Git(self.program, os.path.realpath(root), time.monotonic() + self.patience)


def _commits(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """The commits of a log in our format."""
    reading: _Reading | None = None
    for line in _lines(pieces):
        if line.startswith(b"\0") and (reading is None or reading.message is not None):
            if reading is not None:
                yield reading.commit()
            _, id, moment, said = line.split(b"\0", 3)
            reading = _Reading(id.decode(), int(moment))
            reading.read(said)
        elif reading is not None:
            reading.read(line)
    if reading is not None:
        yield reading.commit()


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream without their ends; of a very long one the beginning."""
    rest = bytearray()
    for piece in pieces:
        *lines, last = piece.split(b"\n")
        for line in lines:
            rest += line
            yield bytes(rest[:_MAX_COMMIT_BYTES])
            rest.clear()
        if len(rest) < _MAX_COMMIT_BYTES:
            rest += last
    if rest:
        yield bytes(rest[:_MAX_COMMIT_BYTES])


@define
class _File:
    """A file of a commit as far as it has been read."""

    path: str
    former: str | None = None
    binary: bool = False
    additions: int = 0
    deletions: int = 0
    head: bytearray = field(factory=bytearray)

    def read(self, line: bytes, *, keep: bool) -> None:
        """Reads a line after the one that names the file: of its header, or of its hunks."""
        if not self.head and not line.startswith(b"@@ "):
            self._read_header(line)
            return
        self.additions += line.startswith(b"+")
        self.deletions += line.startswith(b"-")
        if keep and line and len(self.head) < HEAD_BYTES:
            self.head += line[:HEAD_BYTES] + b"\n"

    @property
    def changed(self) -> bool:
        """Whether more than its mode has changed."""
        return self.binary or self.former is not None or bool(self.head)

    @property
    def counted(self) -> Counted:
        """Its change; of a binary file nothing is counted."""
        if self.binary:
            return Counted(None, None)
        return Counted(self.additions, self.deletions, bytes(self.head))

    def _read_header(self, line: bytes) -> None:
        if line.startswith(b"rename from "):
            self.former = unquoted(line.removeprefix(b"rename from "))
        elif line.startswith(b"rename to "):
            self.path = unquoted(line.removeprefix(b"rename to "))
        elif line.startswith(b"Binary files "):
            self.binary = True


@define
class _Reading:
    """A commit as far as it has been read."""

    id: str
    moment: int
    said: bytearray = field(factory=bytearray)
    message: str | None = None
    files: list[_File] = field(factory=list)
    size: int = 0

    def read(self, line: bytes) -> None:
        """Reads a line of the message, or of the patch."""
        self.size += len(line) + 1
        if self.message is None:
            text, end, _ = line.partition(b"\0")
            self.said += text[:_MAX_MESSAGE_BYTES] + b"\n" if len(self.said) < _MAX_MESSAGE_BYTES else b""
            if end:
                self.message = self.said.decode(errors="replace").strip()
        elif line.startswith(b"diff --git "):
            # The same name twice, unless it was renamed, of which the lines after this tell.
            names = line.removeprefix(b"diff --git ")
            self.files.append(_File(unquoted(names[: len(names) // 2])))
            if len(self.files) > _MAX_FILES:
                del self.files[_MAX_FILES - 1]
        elif self.files:
            self.files[-1].read(line, keep=self.size <= _MAX_COMMIT_BYTES)

    def commit(self) -> Commit:
        """What was read."""
        kept = {str(number): file for number, file in enumerate(self.files) if file.changed}
        counted = {number: file.counted for number, file in kept.items()}
        hunks = bounded(counted, file=MAX_HUNK_CHARACTERS, call=_MAX_COMMIT_CHARACTERS)
        return Commit(
            id=self.id,
            at=datetime.fromtimestamp(self.moment, UTC),
            message=self.message or "",
            changes=tuple(
                CodeChange(
                    path=file.path,
                    former=file.former,
                    additions=counted[number].additions,
                    deletions=counted[number].deletions,
                    hunks=hunks[number],
                )
                for number, file in kept.items()
            ),
            size=self.size,
        )
