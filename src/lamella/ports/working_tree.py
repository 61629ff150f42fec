"""The files of a project, as far as memory needs to know them."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from attrs import frozen

from lamella.domain.memories.observation import CodeChange
from lamella.domain.project import Location


@frozen(kw_only=True)
class Uncommitted:
    """The changes of files that are not committed; of `more`, whose paths these are, it is not told how."""

    changes: tuple[CodeChange, ...] = ()
    more: tuple[str, ...] = ()


class WorkingTree(Protocol):
    """Location of a directory's project, and changes of its code."""

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
        """Return the ignored ones of `paths`, relative to `root`, and those that version control cannot judge."""

    @abstractmethod
    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """Return the change of each of `paths`, in their order, repeats once.

        Additions, deletions and hunks of the working tree against HEAD, or of HEAD's own commit where
        the file is clean; an untracked file is all additions; without git a path has no counts.

        Raises:
            PathOutsideProjectError: one of them lies outside `root`.
        """

    @abstractmethod
    def repository(self, directory: Path) -> Path | None:
        """The top of the repository's working tree that `directory` is in; None where it is in none."""

    @abstractmethod
    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """The change of each tracked file that differs from HEAD and was touched in that time, both ends with it.

        With its former name where it was moved. Text is given as it is: secrets in it are the caller's concern.
        During a merge it is told what differs from what that made of both sides. Of long hunks the beginning is
        given, and the number of files is bounded. Without version control no file is tracked.
        None where it gives no answer in time.
        """

    @abstractmethod
    def touched(self, root: Path, path: str) -> datetime:
        """When the file at `path`, relative to `root`, was written, moved or copied there.

        Where it is gone, when the folder that lost it was touched.
        """

    @abstractmethod
    def made(self, root: Path) -> datetime:
        """When a working tree was made beside the one its repository has; 1970 for that one itself."""

    @abstractmethod
    def text(self, root: Path, path: str) -> str:
        """The beginning of the file at `path`, relative to `root`; empty where it is none. No link is followed."""
