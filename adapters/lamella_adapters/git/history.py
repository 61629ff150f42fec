"""The commits of a repository, read from git's log."""

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
from lamella_adapters.git.changes.parse_patch import Patch, lines
from lamella_adapters.git.changes.patch import AS_READ, beginning
from lamella_adapters.git.repository.process import Git, GitFailedError
from lamella_adapters.process.tables import sentences

_AT_ONCE = 25
"""Number of commits to read per git process."""

_MAX_MESSAGE_BYTES = 8_000

_MOST_ENTRIES = 1_000
"""Maximum number of HEAD's reflog entries to read, latest first."""

_MAKING = ("commit", "revert", "cherry-pick", "am:")
"""Reasons in the reflog for new commits.

Rebases are left out, because they repeat earlier commits.
"""

_FIRST = "commit (initial)"
"""Reason in the reflog for a repository's first commit.

Another commit without a parent may merely be the oldest commit that a shallow clone has fetched.
"""

_LATEST_SECONDS = 4.0
"""Time limit in seconds for listing the latest commits."""

_WORKTREE = re.compile(rb"^worktree ", re.MULTILINE)

_PLAINLY = ("log", "--encoding=UTF-8")
# NUL separates commits, because it can't be in a message or at the start of a line of a patch.
_FORMAT = "--format=%x00%H%x00%ct%x00%B%x00"
_LOG = (
    "-c",
    "core.bigFileThreshold=1m",  # git prints no patch of larger files
    "-c",
    "log.showRoot=true",
    *_PLAINLY,
    _FORMAT,
    "--no-notes",
    *AS_READ,
)


@frozen
class GitHistory(CodeHistory):
    """History of the commits that HEAD contains.

    `patience` is the time limit of each request to git, in seconds.
    """

    program: str = "git"
    patience: float = 60.0

    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        """See `CodeHistory.commits`."""
        order = ("--no-merges", "--date-order", "--reverse", f"--max-count={limit}", "HEAD")
        listed = self._git(root).ask("rev-list", *order)
        if listed is None:
            raise HistoryUnreadableError(**sentences(__file__, "none"))
        return tuple(listed.decode().split())

    def head(self, root: Path) -> str | None:
        """See `CodeHistory.head`."""
        answer = self._git(root).ask("rev-parse", "--verify", "--quiet", "HEAD")
        return answer.decode().strip() if answer else None

    def read(self, root: Path, ids: Sequence[str]) -> Iterator[Commit]:
        """See `CodeHistory.read`."""
        left = iter(ids)
        while some := list(islice(left, _AT_ONCE)):
            try:
                yield from _commits(self._git(root).stream(*_LOG, "--no-walk=unsorted", *some))
            except GitFailedError as error:
                raise HistoryUnreadableError(**sentences(__file__, "stopped")) from error

    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        """See `CodeHistory.latest`. Commits that can't be read in time are counted in `more`."""
        git = Git(self.program, os.path.realpath(root), time.monotonic() + min(self.patience, _LATEST_SECONDS))
        made = _made_here(git, during)
        ids = _leading_to_head(git, made, since=min(during)[0]) if made else ()
        found: list[Commit] = []
        if ids:
            with suppress(GitFailedError):  # keep the commits that were read before
                found.extend(_commits(git.stream(*_LOG, "--no-walk=unsorted", *ids[:limit])))
        return Latest(tuple(found), more=len(ids) - len(found))

    def committed(self, root: Path) -> datetime | None:
        """See `CodeHistory.committed`. Commits without a branch, tag or stash are ignored."""
        git = Git(self.program, os.path.realpath(root), time.monotonic() + min(self.patience, _LATEST_SECONDS))
        trees = git.ask("worktree", "list", "--porcelain") or b""
        latest = git.ask("rev-list", "--all", "--max-count=1", "--timestamp") or b""
        if len(_WORKTREE.findall(trees)) != 1 or not latest:
            return None
        return datetime.fromtimestamp(int(latest.split()[0]), UTC)

    def _git(self, root: Path) -> Git:
        return Git(self.program, os.path.realpath(root), time.monotonic() + self.patience)


def _made_here(git: Git, during: Sequence[Span]) -> Mapping[str, str]:
    """Return the reflog entries of commits made in this working tree `during` the spans, keyed by commit."""
    reflog = git.ask(*_PLAINLY, "--walk-reflogs", "--format=%H %ct %gs", f"--max-count={_MOST_ENTRIES}", "HEAD")
    spans = [(int(start.timestamp()), end.timestamp()) for start, end in during]  # git stores whole seconds
    made: dict[str, str] = {}
    for entry in (reflog or b"").decode(errors="replace").split("\n")[:-1]:
        id, occurred_at, why = entry.split(" ", 2)
        if why.startswith(_MAKING) and any(start <= int(occurred_at) <= end for start, end in spans):
            made[id] = why
    return made


def _leading_to_head(git: Git, made: Mapping[str, str], *, since: datetime) -> tuple[str, ...]:
    """Return the commits in `made` that HEAD's history contains since a time, latest first, without merges."""
    oldest = f"--max-age={int(since.timestamp())}"
    listed = git.ask("rev-list", "--no-merges", "--parents", oldest, "HEAD")
    commits = (line.split() for line in (listed or b"").decode().splitlines())
    return tuple(id for id, *parents in commits if id in made and (parents or made[id].startswith(_FIRST)))


def _commits(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """Yield the commits of a log in the format of `_LOG`."""
    reading: _Reading | None = None
    for line in lines(pieces):
        if line.startswith(b"\0") and (reading is None or reading.message is not None):
            if reading is not None:
                yield reading.commit()
            _, id, committed_at, text = line.split(b"\0", 3)
            reading = _Reading(id.decode(), int(committed_at))
            reading.read(text)
        elif reading is not None:
            reading.read(line)
    if reading is not None:
        yield reading.commit()


@define
class _Reading:
    """A commit as far as it has been read."""

    id: str
    committed_at: int
    text: bytearray = field(factory=bytearray)
    message: str | None = None
    patch: Patch = field(factory=Patch)

    def read(self, line: bytes) -> None:
        """Read a line of the message or of the patch."""
        if self.message is not None:
            self.patch.read(line)
            return
        text, end, _ = line.partition(b"\0")
        self.patch.size += len(line) + 1
        self.text += beginning(text, _MAX_MESSAGE_BYTES) + b"\n" if len(self.text) < _MAX_MESSAGE_BYTES else b""
        if end:
            self.message = self.text.decode(errors="replace").strip()

    def commit(self) -> Commit:
        """Return the commit that was read."""
        return Commit(
            id=self.id,
            at=datetime.fromtimestamp(self.committed_at, UTC),
            message=self.message or "",
            changes=self.patch.changes(),
            size=self.patch.size,
            more=tuple(self.patch.more),
        )
