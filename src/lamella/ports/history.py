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
    """A commit: what it was called, when it was made, and what it changed against the commit before it.

    `size` is how many bytes of it were read. Of `more` files, whose paths these are, it is not told how they
    changed.
    """

    id: str
    at: datetime = field(validator=aware)
    message: str
    changes: tuple[CodeChange, ...]
    size: int = 0
    more: tuple[str, ...] = ()


@frozen
class Latest:
    """Commits that were made just now, latest first; of so many `more` it is not told what they changed."""

    commits: tuple[Commit, ...] = ()
    more: int = 0


Span = tuple[datetime, datetime]
"""Two moments and the time between them."""


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
    def latest(self, root: Path, *, during: Sequence[Span], limit: int) -> Latest:
        """The latest `limit` commits that were made here during some times; both ends count, to the second.

        Only those of which version control has noted that they were made here, and that led to what is checked
        out: none that was fetched, or made anew upon another; and no merges. Empty where nothing is noted, or
        where there is no answer within seconds.
        """

    @abstractmethod
    def committed(self, root: Path) -> datetime | None:
        """When anything was committed last, or put aside, wherever: what came later is only in the working tree.

        Later by a second at least. None where that isn't so, since there are several working trees; or where there
        is no answer within seconds.
        """
