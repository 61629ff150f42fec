"""The history of a repository, as its log tells it."""

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from attrs import define, field, frozen

from lamella.domain.errors import HistoryUnreadableError
from lamella.ports.history import CodeHistory, Commit, Latest, Span
from lamella_adapters.git.changes.parse_patch import AS_READ, Patch, lines
from lamella_adapters.git.changes.patch import beginning
from lamella_adapters.git.repository.process import Git, GitFailedError

_AT_ONCE = 25
"""Commits that one process of git tells of."""

_MAX_MESSAGE_BYTES = 8_000

_NOTES = 1_000
"""So many of git's latest notes of what became of HEAD are read."""

_MAKING = ("commit", "revert", "cherry-pick", "am:")
"""How a note begins where a commit was made. A rebase makes them too, of what was made before."""

_FIRST = "commit (initial)"
"""How it begins where there was none before. Others without a parent may be the oldest that were fetched."""

_LATEST_SECONDS = 4.0
"""How long git may take for the commits that were made just now."""

_WORKTREE = re.compile(rb"^worktree ", re.MULTILINE)

# Showing a signature would run what the repository's own configuration names.
_PLAINLY = ("-c", "log.showSignature=false", "log", "--encoding=UTF-8")
# No line of a patch begins with a NUL, but with one of a few signs; and none is in a message.
_FORMAT = "--format=%x00%H%x00%ct%x00%B%x00"
_LOG = (
    "-c",
    "core.bigFileThreshold=1m",  # of larger files there is no patch
    "-c",
    "log.showRoot=true",
    *_PLAINLY,
    _FORMAT,
    "--no-notes",
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

    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        """See `CodeHistory.latest`; what can't be read in time is counted."""
        git = Git(self.program, os.path.realpath(root), time.monotonic() + min(self.patience, _LATEST_SECONDS))
        made = _made_here(git, during)
        ids = _leading_to_head(git, made, since=min(during)[0]) if made else ()
        found: list[Commit] = []
        if ids:
            with suppress(GitFailedError):  # what was read until then stays
                found.extend(_commits(git.stream(*_LOG, "--no-walk=unsorted", *ids[:limit])))
        return Latest(tuple(found), more=len(ids) - len(found))

    def committed(self, root: Path) -> datetime | None:
        """See `CodeHistory.committed`; what no branch, tag or stash leads to is not asked."""
        git = Git(self.program, os.path.realpath(root), time.monotonic() + min(self.patience, _LATEST_SECONDS))
        trees = git.ask("worktree", "list", "--porcelain") or b""
        latest = git.ask("rev-list", "--all", "--max-count=1", "--timestamp") or b""
        if len(_WORKTREE.findall(trees)) != 1 or not latest:
            return None
        return datetime.fromtimestamp(int(latest.split()[0]), UTC)

    def _git(self, root: Path) -> Git:
        return Git(self.program, os.path.realpath(root), time.monotonic() + self.patience)


def _made_here(git: Git, during: Sequence[Span]) -> Mapping[str, str]:
    """The commits that git has noted it made in this working tree during some times, each with its note."""
    noted = git.ask(*_PLAINLY, "--walk-reflogs", "--format=%H %ct %gs", f"--max-count={_NOTES}", "HEAD")
    spans = [(int(start.timestamp()), end.timestamp()) for start, end in during]  # git counts whole seconds
    made: dict[str, str] = {}
    for entry in (noted or b"").decode(errors="replace").split("\n")[:-1]:
        id, moment, why = entry.split(" ", 2)
        if why.startswith(_MAKING) and any(start <= int(moment) <= end for start, end in spans):
            made[id] = why
    return made


def _leading_to_head(git: Git, made: Mapping[str, str], *, since: datetime) -> tuple[str, ...]:
    """Those that were made since a moment and led to HEAD, latest first; no merges."""
    oldest = f"--max-age={int(since.timestamp())}"
    listed = git.ask("rev-list", "--no-merges", "--parents", oldest, "HEAD")
    commits = (line.split() for line in (listed or b"").decode().splitlines())
    return tuple(id for id, *parents in commits if id in made and (parents or made[id].startswith(_FIRST)))


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
        self.said += beginning(text, _MAX_MESSAGE_BYTES) + b"\n" if len(self.said) < _MAX_MESSAGE_BYTES else b""
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
            more=tuple(self.patch.more),
        )
