"""The working tree of a project, by way of git where there is one."""

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from lamella.domain.memories.observation import CodeChange
from lamella.domain.project import Location
from lamella.domain.text.printing import well_formed
from lamella.ports.working_tree import Uncommitted, WorkingTree
from lamella_adapters.git.changes.compare import compared, ignored
from lamella_adapters.git.changes.uncommitted import touched, uncommitted
from lamella_adapters.git.changes.untracked import content
from lamella_adapters.git.repository import locate as location
from lamella_adapters.git.repository import paths
from lamella_adapters.git.repository.process import Git


@frozen
class GitWorkingTree(WorkingTree):
    """Finds repositories by their files, and asks the git program what changed.

    `patience` is how many seconds all of git's answers to one call may take together; after that, paths have no
    counts.
    """

    program: str = "git"
    patience: float = 4.0

    def locate(self, directory: Path) -> Location:
        """The place that `directory` belongs to: its git common directory, else its real path."""
        asked = os.fspath(directory)
        key, name, root = location.find(asked)
        # A path takes as long to make as half of the way to find it, and is mostly the one that is there.
        return Location(key=key, name=well_formed(name), root=directory if root == asked else Path(root))

    def relative(self, root: Path, path: str) -> str:
        """`path`, relative to `root` or absolute within it, as a relative one with `/`; `.` is the root.

        Raises:
            PathOutsideProjectError: it lies outside, also by way of `..` or a symbolic link.
        """
        return paths.relative(os.fspath(root), path)

    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Those of `paths`, relative to `root`, that git ignores, or can't be asked of in time.

        A file that is tracked is not ignored. Without a repository nothing is.
        """
        folder = os.path.realpath(root)
        if not location.find(folder)[0].startswith("git:"):
            return frozenset()
        return ignored(Git(self.program, folder, time.monotonic() + self.patience), paths)

    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """What changed in each of `paths`, in their order, repeats once.

        Of a file's hunks, the first 128 KiB are given.
        A folder, a file that git ignores and one of a repository within this one have no counts; nor has any path
        where git is missing, fails or takes too long.

        Raises:
            PathOutsideProjectError: one of them lies outside `root`.
        """
        wanted = list(dict.fromkeys(self.relative(root, path) for path in paths))
        git = Git(self.program, os.path.realpath(root), time.monotonic() + self.patience)
        found = compared(git, wanted)
        return tuple(
            CodeChange(
                path=path,
                additions=found[path].additions,
                deletions=found[path].deletions,
                hunks=found[path].text,
            )
            if path in found
            else CodeChange(path=path)
            for path in wanted
        )

    def repository(self, directory: Path) -> Path | None:
        """The top of the repository's working tree that `directory` is in; None where it is in none."""
        key, _, root = location.find(os.fspath(directory))
        return Path(root) if key.startswith("git:") else None

    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """See `WorkingTree.uncommitted`; at most `MOST_FILES` files. None also without a commit."""
        folder = os.path.realpath(root)
        if not location.find(folder)[0].startswith("git:"):
            return Uncommitted()
        git = Git(self.program, folder, time.monotonic() + self.patience)
        return uncommitted(git, lambda path: since <= self.touched(root, path) <= until)

    def touched(self, root: Path, path: str) -> datetime:
        """See `WorkingTree.touched`."""
        return touched(Path(os.path.realpath(root), path))

    def made(self, root: Path) -> datetime:
        """See `WorkingTree.made`."""
        # A folder in the one that the repository has; in others a file that is written once.
        pointer = Path(os.path.realpath(root), ".git")
        return touched(pointer) if pointer.is_file() else datetime.fromtimestamp(0, UTC)

    def text(self, root: Path, path: str) -> str:
        """See `WorkingTree.text`; the first MiB, and nothing of what is no text."""
        return (content(os.path.realpath(root), path) or b"").decode(errors="replace")
