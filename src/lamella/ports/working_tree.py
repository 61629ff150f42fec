"""The files of a project, as far as memory needs to know them."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from lamella.domain.observation import CodeChange
from lamella.domain.projects import Location


class WorkingTree(Protocol):
    """Where a directory's project lives, and which of its code has changed."""

    __slots__ = ()

    @abstractmethod
    def locate(self, directory: Path) -> Location:
        """The place that `directory` belongs to: its git common directory, else its real path."""

    @abstractmethod
    def relative(self, root: Path, path: str) -> str:
        """`path`, relative to `root` or absolute within it, as a relative one with `/`; `.` is the root.

        Raises:
            PathOutsideProjectError: it lies outside, also by way of `..` or a symbolic link.
        """

    @abstractmethod
    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Those of `paths`, relative to `root`, that version control is told to ignore, or cannot be asked of."""

    @abstractmethod
    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """What changed in each of `paths`, in their order, repeats once.

        Additions, deletions and bounded hunks of the working tree against HEAD, or of HEAD's own commit where
        the file is clean; an untracked file is all additions; without git a path has no counts.

        Raises:
            PathOutsideProjectError: one of them lies outside `root`.
        """
