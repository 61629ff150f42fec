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
    """Uncommitted changes of files.

    Attributes:
        changes: The changes.
        more: Paths of other changed files, unread.
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
        """Return True if a missing file was deleted, rather than belonging to another branch than HEAD."""
        return path in self.deleted or path in self.missing or path not in self.ever


class WorkingTree(Protocol):
    """Location of a directory's project, and changes of its code."""

    @abstractmethod
    def locate(self, directory: Path) -> Location:
        """Return the location of a directory: its git common directory, else its real path."""

    @abstractmethod
    def repository_alias(self, location: Location) -> str | None:
        """Return the alias of a location's repository, the same in every clone on any machine.

        Returns:
            The alias, as in `lamella.domain.projects.identity.repository_alias`. None without a repository, a
            commit or a remote reachable for others, for a shallow clone, or without an answer in time.
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
            PathOutsideProjectError: It leads outside, possibly through `..` or a symbolic link.
        """

    @abstractmethod
    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the paths ignored by version control, and the ones it cannot judge.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
        """

    @abstractmethod
    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """Return the change in each of some paths, in their order, without duplicates.

        A change is the working tree's against HEAD, or HEAD's own commit for a clean file. An untracked file is
        all additions. Without git, a path has no counts.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it, or absolute ones within it.

        Raises:
            PathOutsideProjectError: One of them lies outside `root`.
        """

    @abstractmethod
    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the missing paths, neither in the working tree nor in the last commit.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
        """

    @abstractmethod
    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        """Return the present version of each regular file, for a later comparison by `freshness`.

        Args:
            root: Top of the working tree.
            paths: Paths relative to it.
            unread: Paths with private content. Their versions are made without reading it.
        """

    @abstractmethod
    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        """Return the difference between each change's file and its saved state.

        None if it is unchanged, or can't be compared. A change with lines is about these, another one about the
        whole file. A file moved by a commit is read in its present place, and never outside of `root`.

        Args:
            root: Top of the working tree.
            changes: Saved changes with paths relative to it.
        """

    @abstractmethod
    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        """Return the checked-out branch and commit, if known to version control.

        Args:
            root: Top of the working tree.
            at: Time of the checkout, None for now.
        """

    @abstractmethod
    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        """Return the checkouts of other branches not merged into the present one.

        Args:
            root: Top of the working tree.
            saved: The checkouts.

        Returns:
            True for each deleted branch. Empty without version control or an answer in time.
        """

    @abstractmethod
    def commits_since(self, root: Path, path: str, since: datetime) -> int | None:
        """Count the commits changing a file since a time; None without version control or an answer in time.

        Args:
            root: Top of the working tree.
            path: Path relative to it.
            since: The time.
        """

    @abstractmethod
    def repository(self, directory: Path) -> Path | None:
        """Return the top of the working tree around `directory`; None outside of any."""

    @abstractmethod
    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """Return the change of each tracked file touched in a time span and different from HEAD.

        A moved file has its former name. During a merge, differences are relative to the merge result. Long hunks
        are truncated, and the number of files is bounded. Text is unchanged: redacting secrets is the caller's
        concern.

        Args:
            root: Top of the working tree.
            since: Start of the time span, inclusive.
            until: End of the time span, inclusive.

        Returns:
            The changes, empty without version control; None without an answer in time.
        """

    @abstractmethod
    def touched(self, root: Path, path: str) -> datetime:
        """Return the time of writing, moving or copying the file at `path`, relative to `root`.

        For a deleted file, return the time of the last change in the folder it was in.
        """

    @abstractmethod
    def made(self, root: Path) -> datetime:
        """Return the creation time of a linked working tree; 1970 for the main one of a repository."""

    @abstractmethod
    def text(self, root: Path, path: str) -> str:
        """Return the beginning of the file at `path`, relative to `root`; empty for a missing file.

        Symbolic links are not followed.
        """

    @abstractmethod
    def past(self, root: Path, folder: str) -> Past | None:
        """Return version control's knowledge of a folder's files; None without an answer in time.

        Args:
            root: Top of the working tree.
            folder: Path relative to it.
        """
