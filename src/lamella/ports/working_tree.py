"""Access to working trees: the locations of projects, and the states and changes of files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lamella.domain.ledger.files import Past, Uncommitted
    from lamella.domain.memories.checkout import Checkout
    from lamella.domain.memories.freshness import FileState
    from lamella.domain.memories.observation import CodeChange
    from lamella.domain.projects.project import Location


class WorkingTree(Protocol):
    """Access to working trees and their version control."""

    @abstractmethod
    def locate(self, directory: Path) -> Location:
        """Return the location of a directory.

        The key of the location contains the path of git's common directory. Outside of a repository, it contains
        the real path of `directory`.
        """

    @abstractmethod
    def repository_alias(self, location: Location) -> str | None:
        """Return the alias of a location's repository, which is equal for all clones on all machines.

        Returns:
            The alias, as in `lamella.domain.projects.identity.repository_alias`. None if the location has no
            repository, or if the repository has no commit or no remote that others can reach. Also None for a
            shallow clone, or if git doesn't respond in time.
        """

    @abstractmethod
    def traces(self, location: Location) -> tuple[str, ...]:
        """Return the first commit and remote of a repository, and hashes of the folder's oldest entries.

        See `lamella.domain.projects.identity.traces_of`.
        """

    @abstractmethod
    def around(self, location: Location) -> tuple[Location, ...]:
        """Return the parent folders of a folder that is in no repository, nearest first.

        The user's home and folders above it are left out.
        """

    @abstractmethod
    def is_gone(self, key: str) -> bool:
        """Return True if the path in a location's key doesn't exist."""

    @abstractmethod
    def relative(self, root: Path, path: str) -> str:
        """Return a path relative to the root, with `/`; `.` is the root itself.

        Args:
            root: Top of the working tree.
            path: Path relative to `root`, or absolute path within it. The file needn't exist.

        Raises:
            PathOutsideProjectError: The path leads outside, directly or through `..` or a symbolic link.
        """

    @abstractmethod
    def ignored(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the paths ignored by version control, including paths that can't be checked.

        Args:
            root: Top of the working tree.
            paths: Paths relative to `root`.
        """

    @abstractmethod
    def changes(self, root: Path, paths: Sequence[str]) -> tuple[CodeChange, ...]:
        """Return the changes of files, in order and without duplicates.

        For a modified file, compare the working tree with HEAD. For a clean file, return its change in HEAD's
        commit. All lines of an untracked file are additions. Without git, line counts are unknown.

        Args:
            root: Top of the working tree.
            paths: Paths relative to `root`, or absolute paths within `root`.

        Raises:
            PathOutsideProjectError: A path leads outside of `root`.
        """

    @abstractmethod
    def missing(self, root: Path, paths: Sequence[str]) -> frozenset[str]:
        """Return the paths that exist neither in the working tree nor in the last commit.

        Args:
            root: Top of the working tree.
            paths: Paths relative to `root`.
        """

    @abstractmethod
    def versions(self, root: Path, paths: Sequence[str], *, unread: Collection[str] = ()) -> Mapping[str, str]:
        """Return the current version of each regular file, for a later comparison by `freshness`.

        Args:
            root: Top of the working tree.
            paths: Paths relative to `root`.
            unread: Paths of files whose private content must not be read. Compute their versions without the
                content.
        """

    @abstractmethod
    def freshness(self, root: Path, changes: Sequence[CodeChange]) -> tuple[FileState | None, ...]:
        """Compare the file of each change with its saved state.

        The result for a change is None if its file is unchanged, or can't be compared. If a change has lines,
        compare only these lines; otherwise the whole file. Read a file moved by a commit at its new path, but
        never outside of `root`.

        Args:
            root: Top of the working tree.
            changes: Saved changes with paths relative to `root`.
        """

    @abstractmethod
    def checkout(self, root: Path, at: datetime | None = None) -> Checkout:
        """Return the checked-out branch and commit, if known to version control.

        Args:
            root: Top of the working tree.
            at: Return the checkout at this time; None for the current checkout.
        """

    @abstractmethod
    def unmerged(self, root: Path, saved: Collection[Checkout]) -> Mapping[Checkout, bool]:
        """Return the checkouts on branches not merged into the current branch.

        Args:
            root: Top of the working tree.
            saved: Checkouts to check.

        Returns:
            The unmerged checkouts. The value is True if the branch was deleted. Empty without version control, or
            if version control doesn't respond in time.
        """

    @abstractmethod
    def commits_since(self, root: Path, files: Sequence[tuple[str, datetime]]) -> tuple[int | None, ...]:
        """Return for each file the number of commits that changed it after the given time.

        A count is None if version control is missing or too slow.

        Args:
            root: Top of the working tree.
            files: Paths relative to `root`, each with the time to count from.
        """

    @abstractmethod
    def author(self, root: Path, commit: str) -> str:
        """Return the name of a commit's author; empty if version control is missing or doesn't know the commit.

        Args:
            root: Top of the working tree.
            commit: Full id of the commit.
        """

    @abstractmethod
    def repository(self, directory: Path) -> Path | None:
        """Return the top of the working tree that contains `directory`; None outside of a working tree."""

    @abstractmethod
    def uncommitted(self, root: Path, *, since: datetime, until: datetime) -> Uncommitted | None:
        """Return the changes of tracked files relative to HEAD, but only of files touched in a time span.

        The change of a moved file has the former name. During a merge, differences are relative to the merge
        result. Long hunks are truncated, and the number of files is bounded. Text is unchanged: the caller must
        redact secrets.

        Args:
            root: Top of the working tree.
            since: Start of the time span, inclusive.
            until: End of the time span, inclusive.

        Returns:
            The changes, empty without version control. None if version control doesn't respond in time.
        """

    @abstractmethod
    def former_names(self, root: Path, path: str) -> tuple[str, ...]:
        """Return the former names of a file, or of a folder and its files, latest first.

        Uncommitted renames are included. Return an empty tuple without version control. Names may be missing if
        version control doesn't respond in time.

        Args:
            root: Top of the working tree.
            path: Path relative to `root`.
        """

    @abstractmethod
    def touched(self, root: Path, path: str) -> datetime:
        """Return the time when the file at `path`, relative to `root`, was last written, moved or copied.

        For a deleted file, return the time of the latest change in its former folder.
        """

    @abstractmethod
    def made(self, root: Path) -> datetime:
        """Return the creation time of a linked working tree; 1970 for the main working tree of a repository."""

    @abstractmethod
    def text(self, root: Path, path: str) -> str:
        """Return the beginning of the text file at `path`, relative to `root`; empty for a missing file.

        Symbolic links are not followed.
        """

    @abstractmethod
    def files(self, root: Path, suffix: str) -> Sequence[str]:
        """Return the paths of files with a suffix, relative to `root`. Ignored files are left out.

        Return an empty list if version control is missing or doesn't respond in time.
        """

    @abstractmethod
    def past(self, root: Path, folder: str) -> Past | None:
        """Return the files of a folder that version control knows.

        Return None if version control doesn't respond in time.

        Args:
            root: Top of the working tree.
            folder: Path relative to `root`.
        """
