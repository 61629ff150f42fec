"""Null adapter for the working trees of remote callers, which this machine can't read."""

# ruff: noqa: ARG002 - without a working tree, results don't depend on the arguments

import posixpath
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PureWindowsPath

from attrs import frozen

from lamella.domain.errors import DistantPathError, PathOutsideProjectError, UnnamedProjectError
from lamella.domain.ledger.files import Past, Uncommitted
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.freshness import FileState
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Location
from lamella.ports.working_tree import WorkingTree

_NEVER = datetime.fromtimestamp(0, UTC)


@frozen
class DistantWorkingTree(WorkingTree):
    """Working tree on another machine. Paths are only names; no file of this machine is read."""

    def locate(self, directory: Path) -> Location:
        """Raise an error: a directory of this machine can't identify the project of a remote caller.

        Raises:
            UnnamedProjectError: Always.
        """
        raise UnnamedProjectError

    def repository_alias(self, location: Location) -> str | None:
        """See `WorkingTree.repository_alias`."""
        return None

    def traces(self, location: Location) -> tuple[str, ...]:
        """See `WorkingTree.traces`."""
        return ()

    def around(self, location: Location) -> tuple[Location, ...]:
        """See `WorkingTree.around`."""
        return ()

    def is_gone(self, key: str) -> bool:
        """See `WorkingTree.is_gone`. Always False, since nothing can be checked."""
        return False

    def relative(self, root: Path, path: str) -> str:
        """See `WorkingTree.relative`.

        Raises:
            DistantPathError: The path is absolute. The project's directory on the caller's machine is unknown.
        """
        if path.startswith("/") or PureWindowsPath(path).drive:
            raise DistantPathError(path=path)
        normalised = posixpath.normpath(path)
        if not path.strip() or "\0" in path or normalised.split("/")[0] == "..":
            raise PathOutsideProjectError(path=path)
        return normalised

    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """See `WorkingTree.ignored`. Return all paths, since none can be checked."""
        return frozenset(paths)

    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """See `WorkingTree.changes`. Line counts are unknown."""
        return tuple(CodeChange(path=path) for path in dict.fromkeys(self.relative(root, each) for each in paths))

    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """See `WorkingTree.missing`. Always empty, since nothing can be checked."""
        return frozenset()

    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        """See `WorkingTree.versions`."""
        return {}

    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        """See `WorkingTree.freshness`."""
        return (None,) * len(changes)

    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        """See `WorkingTree.checkout`."""
        return Checkout()

    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        """See `WorkingTree.unmerged`."""
        return {}

    def commits_since(self, root: Path, files: Sequence[tuple[str, datetime]]) -> tuple[int | None, ...]:
        """See `WorkingTree.commits_since`."""
        return (None,) * len(files)

    def author(self, root: Path, commit: str) -> str:
        """See `WorkingTree.author`."""
        return ""

    def repository(self, directory: Path) -> Path | None:
        """See `WorkingTree.repository`."""
        return None

    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """See `WorkingTree.uncommitted`."""
        return Uncommitted()

    def former_names(self, root: Path, path: str) -> tuple[str, ...]:
        """See `WorkingTree.former_names`."""
        return ()

    def touched(self, root: Path, path: str) -> datetime:
        """See `WorkingTree.touched`."""
        return _NEVER

    def made(self, root: Path) -> datetime:
        """See `WorkingTree.made`."""
        return _NEVER

    def text(self, root: Path, path: str) -> str:
        """See `WorkingTree.text`."""
        return ""

    def files(self, root: Path, suffix: str) -> Sequence[str]:
        """See `WorkingTree.files`."""
        return ()

    def past(self, root: Path, folder: str) -> Past | None:
        """See `WorkingTree.past`."""
        return None
