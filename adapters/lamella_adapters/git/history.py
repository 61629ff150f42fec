"""The history of a repository, as its log tells it."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from attrs import define, field, frozen

from lamella.domain.errors import HistoryUnreadableError
from lamella.ports.history import CodeHistory, Commit
from lamella_adapters.git.patch_reading import AS_READ, Patch, lines
from lamella_adapters.git.process import Git, GitFailedError

_AT_ONCE = 25
"""Commits that one process of git tells of."""

_MAX_MESSAGE_BYTES = 8_000

_LATEST_SECONDS = 4.0
"""How long git may take for the commits that were made just now."""

# No line of a patch begins with a NUL, but with one of a few signs; and none is in a message.
_FORMAT = "--format=%x00%H%x00%ct%x00%B%x00"
_LOG = (
    "-c",
    "core.bigFileThreshold=1m",  # of larger files there is no patch
    "-c",
    "log.showSignature=false",
    "log",
    _FORMAT,
    "--no-notes",
    "--encoding=UTF-8",
    *AS_READ,
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
                yield from _commits(self._git(root).stream(*_LOG, "--no-walk=unsorted", *some))
            except GitFailedError as error:
                raise HistoryUnreadableError(
                    reason="Git did not tell of all commits.", advice="Check with `git fsck`, then repeat this."
                ) from error

    def latest(self, root: Path, *, since: datetime, limit: int) -> tuple[Commit, ...]:
        """See `CodeHistory.latest`; of those that HEAD leads to."""
        git = Git(self.program, os.path.realpath(root), time.monotonic() + min(self.patience, _LATEST_SECONDS))
        chosen = ("--min-parents=1", "--no-merges", f"--max-count={limit}", f"--since={since.isoformat()}", "HEAD")
        try:
            return tuple(_commits(git.stream(*_LOG, *chosen)))
        except GitFailedError:
            return ()

    def _git(self, root: Path) -> Git:
        return Git(self.program, os.path.realpath(root), time.monotonic() + self.patience)


def _commits(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """The commits of a log in our format."""
    reading: _Reading | None = None
    for line in lines(pieces):
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


@define
class _Reading:
    """A commit as far as it has been read."""

    id: str
    moment: int
    said: bytearray = field(factory=bytearray)
    message: str | None = None
    patch: Patch = field(factory=Patch)

    def read(self, line: bytes) -> None:
        """Reads a line of the message, or of the patch."""
        if self.message is not None:
            self.patch.read(line)
            return
        text, end, _ = line.partition(b"\0")
        self.patch.size += len(line) + 1
        self.said += text[:_MAX_MESSAGE_BYTES] + b"\n" if len(self.said) < _MAX_MESSAGE_BYTES else b""
        if end:
            self.message = self.said.decode(errors="replace").strip()

    def commit(self) -> Commit:
        """What was read."""
        return Commit(
            id=self.id,
            at=datetime.fromtimestamp(self.moment, UTC),
            message=self.message or "",
            changes=self.patch.changes(),
            size=self.patch.size,
        )
