"""What a project's version control remembers of its code."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from lamella.domain.observation import CodeChange, aware


@frozen(kw_only=True)
class Commit:
    """A commit: what it was called, when it was made, and what it changed against the commit before it.

    `size` is how many bytes of it were read.
    """

    id: str
    at: datetime = field(validator=aware)
    message: str
    changes: tuple[CodeChange, ...]
    size: int = 0


class CodeHistory(Protocol):
    """The commits that led to what is checked out."""

    __slots__ = ()

    @abstractmethod
    def commits(self, root: Path, *, limit: int) -> tuple[str, ...]:
        """The ids of the latest `limit` commits that are no merges, oldest first; parents come before children.

        Raises:
            HistoryUnreadableError: there is no version control, or it can't be asked.
        """

    @abstractmethod
    def read(self, root: Path, ids: Sequence[str]) -> Iterator[Commit]:
        """These commits, in this order, one by one. Renames are told from new files.

        Raises:
            HistoryUnreadableError: one of them can't be read.
        """

    @abstractmethod
    def latest(self, root: Path, *, since: datetime, limit: int) -> tuple[Commit, ...]:
        """At most `limit` commits that were made since a moment, latest first.

        No merges, and not the first one of all. Empty also where version control gives no answer within seconds.
        """
