"""The working tree of a project, read with git inside a repository.

Modules that run git are imported on first use: most saves name no file, and some run outside a repository.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.key import FOLDER, REPOSITORY
from lamella.domain.projects.project import Location
from lamella.ports.working_tree import WorkingTree
from lamella_adapters.git.repository import locate as places
from lamella_adapters.git.repository.head import checked_out, is_commit
from lamella_adapters.git.repository.identity import VARIABLES, KnownAliases, entries, traces

if TYPE_CHECKING:
    from lamella.domain.ledger.files import Past, Uncommitted
    from lamella.domain.memories.freshness import FileState
    from lamella_adapters.git.repository.asking import Ask
    from lamella_adapters.git.repository.process import Git

_LOOKING_SECONDS = 1.0
"""Time limit of the search for new paths and branches, which delays an answer."""
_KNOWN_SECONDS = 2.0
"""Time in seconds for which former names are cached.

A page then asks git only once for its results and their counts.
"""
_MOST_KNOWN = 100


@frozen(eq=False, repr=False)
class GitWorkingTree(WorkingTree):
    """Working trees of git.

    Repositories are located by reading git's own files. Changes are computed by running git. `patience` is the
    time limit in seconds for all git processes of one call together. After this time, the remaining paths get no
    counts of changed lines.
    """

    program: str = "git"
    patience: float = 4.0
    _aliases: KnownAliases = field(factory=KnownAliases, init=False, eq=False, repr=False)
    _former: dict[tuple[Path, str], tuple[tuple[str, ...], float]] = field(
        factory=dict, init=False, eq=False, repr=False
    )
    """Former names, keyed by root and path, and the monotonic time in seconds when each cache entry expires."""

    def locate(self, directory: Path) -> Location:
        """See `WorkingTree.locate`."""
        return _location(*places.find(os.fspath(directory)))

    def repository_alias(self, location: Location) -> str | None:
        """See `WorkingTree.repository_alias`. The remote is `origin`, else the only remote."""
        repository, _, common = location.key.partition(":")
        return self._aliases.of(self._identifying(location.root), common) if repository == "git" else None

    def traces(self, location: Location) -> tuple[str, ...]:
        """See `WorkingTree.traces`. A shallow clone has no first commit."""
        found = traces(self._identifying(location.root)) if location.in_repository else ()
        return (*found, *entries(location.root))

    def around(self, location: Location) -> tuple[Location, ...]:
        """See `WorkingTree.around`."""
        folders = {key: Path(key.removeprefix(FOLDER)) for key in places.around(location.key)}
        return tuple(Location(key=key, name=root.name, root=root) for key, root in folders.items())

    def is_gone(self, key: str) -> bool:
        """See `WorkingTree.is_gone`."""
        return places.is_gone(key)

    def relative(self, root: Path, path: str) -> str:
        """See `WorkingTree.relative`."""
        from lamella_adapters.git.repository.paths import relative

        return relative(os.fspath(root), path)

    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """See `WorkingTree.ignored`. Tracked files are never ignored. Outside a repository, no file is."""
        from lamella_adapters.git.changes.compare import ignored

        return ignored(self._git(root), paths) if self.repository(root) else frozenset()

    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """See `WorkingTree.changes`. The hunks of a file are truncated to 128 KiB.

        Line counts are unknown for folders, for files ignored by git, and for files of nested repositories. If git
        is missing, fails or takes too long, they are unknown for all paths.
        """
        from lamella_adapters.git.changes.compare import compared

        wanted = list(dict.fromkeys(self.relative(root, path) for path in paths))
        found = compared(self._git(root), wanted)
        return tuple(found[path].change(path) if path in found else CodeChange(path=path) for path in wanted)

    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """See `WorkingTree.missing`. Without an answer from git, only the working tree is checked."""
        from lamella_adapters.git.changes.compare import missing

        return missing(self._git(root), paths)

    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        """See `WorkingTree.versions`. The content of files above 5 MiB is not read either."""
        from lamella_adapters.git.changes.file_version import file_version

        top = os.path.realpath(root)
        found = {path: file_version(top, path, read=path not in unread) for path in paths}
        return {path: version for path, version in found.items() if version is not None}

    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        """See `WorkingTree.freshness`.

        If the content can't be read, a different modification time counts as a change.
        """
        from lamella_adapters.git.changes.file_version import fates

        ask = self._git(root, patience=_LOOKING_SECONDS).ask if self.repository(root) else None
        files = [(each.path, each.version, partial(getattr, each, "hunks")) for each in changes]
        return fates(ask, os.path.realpath(root), files)

    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        """See `WorkingTree.checkout`."""
        return Checkout(*checked_out(os.fspath(root), None if at is None else at.timestamp()))

    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        """See `WorkingTree.unmerged`."""
        from lamella_adapters.git.changes.branches import unmerged

        git = self._git(root, patience=_LOOKING_SECONDS)
        return unmerged(git.ask, git.folder, saved)

    def commits_since(self, root: Path, files: Sequence[tuple[str, datetime]]) -> tuple[int | None, ...]:
        """See `WorkingTree.commits_since`. Only commits in HEAD's history are counted, without merges."""
        from lamella_adapters.git.changes.counting import commits_since

        return commits_since(self._git(root), files)

    def author(self, root: Path, commit: str) -> str:
        """See `WorkingTree.author`."""
        log = ("log", "-1", "--encoding=UTF-8", "--format=%an", commit, "--")
        found = self._git(root, patience=_LOOKING_SECONDS).ask(*log) if is_commit(commit) else None
        return (found or b"").decode(errors="replace").strip()

    def repository(self, directory: Path) -> Path | None:
        """See `WorkingTree.repository`."""
        key, _, root = places.find(os.fspath(directory))
        return Path(root) if key.startswith(REPOSITORY) else None

    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """See `WorkingTree.uncommitted`.

        At most `MOST_FILES` files are read. Return None also for a repository without a commit.
        """
        from lamella.domain.ledger.files import Uncommitted
        from lamella_adapters.git.changes.uncommitted import uncommitted

        if self.repository(root) is None:
            return Uncommitted()
        return uncommitted(self._git(root), lambda path: since <= self.touched(root, path) <= until)

    def former_names(self, root: Path, path: str) -> tuple[str, ...]:
        """See `WorkingTree.former_names`."""
        from lamella_adapters.git.changes.former_names import former_names

        if self.repository(root) is None:
            return ()
        names, until = self._former.get((root, path), ((), 0.0))
        if time.monotonic() >= until:
            names = former_names(self._git(root, patience=_LOOKING_SECONDS), path)
            if len(self._former) >= _MOST_KNOWN:
                self._former.clear()
            self._former[root, path] = names, time.monotonic() + _KNOWN_SECONDS
        return names

    def touched(self, root: Path, path: str) -> datetime:
        """See `WorkingTree.touched`."""
        from lamella_adapters.git.changes.uncommitted import touched

        return touched(Path(os.path.realpath(root), path))

    def made(self, root: Path) -> datetime:
        """See `WorkingTree.made`."""
        # `.git` is a folder in the main working tree, and in other working trees a file that is written once.
        return self.touched(root, ".git") if Path(root, ".git").is_file() else datetime.fromtimestamp(0, UTC)

    def text(self, root: Path, path: str) -> str:
        """See `WorkingTree.text`. Texts are truncated to 1 MiB."""
        from lamella_adapters.git.changes.untracked import content

        return (content(os.path.realpath(root), path) or b"").decode(errors="replace")

    def files(self, root: Path, suffix: str) -> Sequence[str]:
        """See `WorkingTree.files`. A file deleted without a commit is listed, too."""
        from lamella_adapters.git.repository.process import GitFailedError

        try:
            listed = b"".join(
                self._git(root).stream("ls-files", "-z", "--cached", "--others", "--exclude-standard")
            )
        except GitFailedError:
            return ()
        return sorted(path for path in os.fsdecode(listed).split("\0")[:-1] if path.endswith(suffix))

    def past(self, root: Path, folder: str) -> Past | None:
        """See `WorkingTree.past`. The time limit is longer than for other methods."""
        from lamella_adapters.git.changes.past import past

        return past(self._git(root, patience=5 * self.patience), folder)

    def _identifying(self, root: Path) -> Ask:
        from lamella_adapters.git.repository.asking import asking

        return asking(os.path.realpath(root), self.patience, program=self.program, variables=VARIABLES)

    def _git(self, root: Path, *, patience: float | None = None) -> Git:
        from lamella_adapters.git.repository.process import Git

        return Git(self.program, os.path.realpath(root), time.monotonic() + (patience or self.patience))


@lru_cache(maxsize=1_000)
def _location(key: str, name: str, root: str) -> Location:
    """Return a location, from a cache, because building it takes as long as the search for the repository."""
    return Location(key=key, name=name, root=Path(root))
