"""History of a project's code in version control."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from lamella.domain.memories.observation import CodeChange
from lamella.domain.validation import aware


@frozen(kw_only=True)
class Commit:
    """A commit and its changes relative to its parent.

    Attributes:
        id: Id of the commit in version control.
        at: Time of the commit.
        message: Message of the commit, unchanged. The caller must redact secrets.
        changes: Changes of files by the commit.
        size: Number of bytes read.
        more: Paths of files with unread changes.
    """

    id: str
    at: datetime = field(validator=aware)
    message: str
    changes: tuple[CodeChange, ...]
    size: int = 0
    more: tuple[str, ...] = ()


@frozen
class Latest:
    """Recent commits.

    Attributes:
        commits: The commits, latest first.
        more: Number of unread commits.
    """

    commits: tuple[Commit, ...] = ()
    more: int = 0


Span = tuple[datetime, datetime]
"""Start and end of a time span, both inclusive."""


class CodeHistory(Protocol):
    """Read access to the checked-out commit and its ancestors."""

    @abstractmethod
    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        """Return the ids of the latest commits, oldest first.

        Merge commits are left out. Parents come before children.

        Args:
            root: Top of the working tree.
            limit: Maximum number of commits.

        Raises:
            HistoryUnreadableError: The folder has no version control, or version control doesn't respond.
        """

    @abstractmethod
    def head(self, root: Path) -> str | None:
        """Return the id of the checked-out commit.

        Return None without a checked-out commit, or if version control doesn't respond.

        Args:
            root: Top of the working tree, or a folder in it.
        """

    @abstractmethod
    def read(self, root: Path, ids: Sequence[str]) -> Iterator[Commit]:
        """Yield commits in the order of their ids. Renames are recognised.

        Args:
            root: Top of the working tree.
            ids: Ids as `commits` returns them.

        Raises:
            HistoryUnreadableError: A commit can't be read.
        """

    @abstractmethod
    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        """Return the latest commits made in this working tree during some time spans.

        The commits are reachable from HEAD. Version control must have a log with the commits made here, so that
        fetched and rebased commits can be left out. Merge commits are left out, too. Return no commits if the log
        is missing, or if version control doesn't respond within seconds.

        Args:
            root: Top of the working tree.
            during: Time spans, with a resolution of one second.
            limit: Maximum number of commits to read.
        """

    @abstractmethod
    def committed(self, root: Path) -> datetime | None:
        """Return the time of the last commit or stash on any branch.

        A change made at least a second later is only in the working tree.

        Returns:
            The time. None if the repository has several working trees or no commits, or if version control doesn't
            respond within seconds.
        """
