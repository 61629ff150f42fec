"""The files of a project, as far as memory needs to know them."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from attrs import frozen

from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.freshness import FileState
from lamella.domain.memories.observation import CodeChange
from lamella.domain.projects.project import Location


@frozen(kw_only=True)
class Uncommitted:
    """Changes of files that are not committed.

    Attributes:
        changes: The changes.
        more: Paths of other changed files whose changes were not read.
    """

    changes: tuple[CodeChange, ...] = ()
    more: tuple[str, ...] = ()


@frozen(kw_only=True)
class Past:
    """Files of a folder in version control, as paths relative to the root.

    Attributes:
        deleted: Files that a commit in the history of HEAD deleted.
        missing: Files of HEAD that the working tree lacks.
        ever: Files that a commit of any branch added.
    """

    deleted: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    ever: frozenset[str] = frozenset()

    def lost(self, path: str) -> bool:
        """Return True if a file that is gone was deleted, and is not just of another branch than HEAD."""
        return path in self.deleted or path in self.missing or path not in self.ever


class WorkingTree(Protocol):
    """Location of a directory's project, and changes of its code."""

    @abstractmethod
    def locate(self, directory: Path) -> Location:
        """Return the location that a directory belongs to: its git common directory, else its real path."""

    @abstractmethod
    def repository_alias(self, location: Location) -> str | None:
        """Return the alias that a location's repository has in every clone, on any machine.

        Returns:
            The alias, as in `lamella.domain.projects.identity.repository_alias`. None if there is no repository,
            commit or remote that others can reach, if the clone is shallow, or if there is no answer in time.
        """

    @abstractmethod
    def traces(self, location: Location) -> tuple[str, ...]:
        """Return the traces of a location's repository, as in `lamella.domain.projects.identity.traces_of`."""

    @abstractmethod
    def around(self, location: Location) -> tuple[Location, ...]:
        """Return the folders around a folder without a repository, nearest first, below the user's home."""

    @abstractmethod
    def is_gone(self, key: str) -> bool:
        """Return True if nothing is at the path of the key of a location."""

    @abstractmethod
    def relative(self, root: Path, path: str) -> str:
        """Return a path relative to the root, with `/`; `.` is the root itself.

        Args:
            root: Top of the working tree.
            path: A path relative to `root`, or an absolute one within it. The file need not exist.

        Raises:
            PathOutsideProjectError: It leads outside, also by way of `..` or a symbolic link.
        """

    @abstractmethod
    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the paths that version control ignores, and those that it cannot judge.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
        """

    @abstractmethod
    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """Return the change of each of some paths, in their order, repeats once.

        A change is that of the working tree against HEAD, or that of HEAD's own commit if the file is clean. An
        untracked file is all additions. Without git a path has no counts.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it, or absolute ones within it.

        Raises:
            PathOutsideProjectError: One of them lies outside `root`.
        """

    @abstractmethod
    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the paths at which there is nothing, neither in the working tree nor in the last commit.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
        """

    @abstractmethod
    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        """Return the present version of each regular file, by which `freshness` tells later if it has changed.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
            unread: Those whose content must not be read. Their versions are made without it.
        """

    @abstractmethod
    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        """Return for each change how its file differs from what the change is about.

        None if it doesn't, or if that can't be seen. A change with lines is about these, another one about the
        whole file. A file that a commit moved is looked at where it is now, and none outside of `root`.

        Args:
            root: Top of the working tree.
            changes: Changes with paths relative to it, as they were saved.
        """

    @abstractmethod
    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        """Return the branch and the commit that are checked out, as far as version control tells.

        Args:
            root: Top of the working tree.
            at: Time at which they were, None for now.
        """

    @abstractmethod
    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        """Return the checkouts of other branches whose work is not in what is checked out now.

        Args:
            root: Top of the working tree.
            saved: The checkouts.

        Returns:
            True for each whose branch is deleted. Empty without version control or an answer in time.
        """

    @abstractmethod
    def commits_since(self, root: Path, path: str, since: datetime) -> int | None:
        """Return how many commits changed a file since a time; None without version control or an answer in time.

        Args:
            root: Top of the working tree.
            path: Path relative to it.
            since: The time.
        """

    @abstractmethod
    def repository(self, directory: Path) -> Path | None:
        """Return the top of the working tree that `directory` is in; None if it is in none."""

    @abstractmethod
    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """Return the change of each tracked file that differs from HEAD and was touched in a time span.

        A moved file has its former name. During a merge, differences are relative to the merge result. Long hunks
        are truncated, and the number of files is bounded. Text is as it is: secrets in it are the caller's
        concern.

        Args:
            root: Top of the working tree.
            since: Start of the time span, which belongs to it.
            until: End of the time span, which belongs to it.

        Returns:
            The changes, none without version control; None if it gives no answer in time.
        """

    @abstractmethod
    def touched(self, root: Path, path: str) -> datetime:
        """Return when the file at `path`, relative to `root`, was written, moved or copied there.

        If it is gone, the time at which the folder that lost it was touched.
        """

    @abstractmethod
    def made(self, root: Path) -> datetime:
        """Return when a linked working tree was created; 1970 for the main one of a repository."""

    @abstractmethod
    def text(self, root: Path, path: str) -> str:
        """Return the beginning of the file at `path`, relative to `root`; empty if there is none.

        No symbolic link is followed.
        """

    @abstractmethod
    def past(self, root: Path, folder: str) -> Past | None:
        """Return what version control knows of the files of a folder; None if there is no answer in time.

        Args:
            root: Top of the working tree.
            folder: Path relative to it.
        """
