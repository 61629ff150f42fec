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
    """A commit, and its changes against the commit before it.

    Attributes:
        id: Its id in version control.
        at: Time at which it was made.
        message: Its message, as it is: secrets in it are the caller's concern.
        changes: Changes of its files.
        size: Number of bytes that were read of it.
        more: Paths of the files whose changes were not read.
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
    """The history of the checked-out commit."""

    @abstractmethod
    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        """Return the ids of the latest commits except merges, oldest first, parents before children.

        Args:
            root: Top of the working tree.
            limit: Most commits.

        Raises:
            HistoryUnreadableError: There is no version control, or it doesn't answer.
        """

    @abstractmethod
    def head(self, root: Path) -> str | None:
        """Return the id of the checked-out commit; None without one, or without an answer.

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
            HistoryUnreadableError: One of them can't be read.
        """

    @abstractmethod
    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        """Return the latest commits made in this repository within some time spans.

        Only commits logged by version control as made here and reachable from HEAD: no fetched or rebased ones,
        and no merges. Empty without a log, or without an answer within seconds.

        Args:
            root: Top of the working tree.
            during: The time spans, to the second.
            limit: Most commits to read.
        """

    @abstractmethod
    def committed(self, root: Path) -> datetime | None:
        """Return the time of the last commit or stash on any branch.

        A change made a second later or more is only in the working tree.

        Returns:
            The time; None if there are several working trees, or if there is no answer within seconds.
        """
