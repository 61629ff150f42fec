"""Errors about memories that were asked for."""

from collections.abc import Sequence
from datetime import date

from attrs import frozen

from lamella.domain.errors import Candidate, LamellaError, echo
from lamella.domain.text.printing import printed_line


@frozen(kw_only=True)
class NotReplaceableError(LamellaError):
    """A memory that a new one was to replace is not there, or is purged; `reason` says which."""

    id: str
    reason: str

    def __str__(self) -> str:
        return (
            f"Nothing was saved, because {echo(printed_line(self.id))} can't be replaced: {self.reason}."
            " Replace memories that are not purged, by their ids."
        )


@frozen(kw_only=True)
class NothingFoundError(LamellaError):
    """Something was asked for by words, id or title, and nothing answers to it.

    `degraded` says in a few words what kept the search from finding all that there may be.
    """

    asked: str
    degraded: str = ""

    def __str__(self) -> str:
        told = f" ({self.degraded})" if self.degraded else ""
        return f"No memories found matching '{echo(self.asked)}'. Try broader search terms or check the ID.{told}"


@frozen(kw_only=True)
class ObservationPurgedError(NothingFoundError):
    """A memory was asked for by an id, and is purged. `restore` says how to restore it, if the driver knows."""

    id: str
    day: date
    restore: str = ""

    def __str__(self) -> str:
        told = f" To restore it: {self.restore}" if self.restore else ""
        return f"The memory {self.id} was purged on {self.day}.{told}"


@frozen(kw_only=True)
class ReplacedError(LamellaError):
    """The memory that was asked for is purged, because `by` took its place."""

    id: str
    by: Candidate

    def __str__(self) -> str:
        return f"The memory {self.id} was replaced by {self.by}. Recall that one, or restore {self.id}."


@frozen(kw_only=True)
class AmbiguousIdError(LamellaError):
    """A short id is the beginning of several ids."""

    prefix: str
    candidates: Sequence[Candidate]

    def __str__(self) -> str:
        listed = "; ".join(map(str, self.candidates))
        return f"The id '{self.prefix}' is ambiguous: use more of its characters. It could be: {listed}"


@frozen(kw_only=True)
class NoneChangedError(LamellaError):
    """A purge or restore changed nothing; `reply` says why for each id."""

    reply: str

    def __str__(self) -> str:
        return self.reply
