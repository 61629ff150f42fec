"""Errors about requested memories."""

from collections.abc import Sequence
from datetime import date

from attrs import frozen

from lamella.domain.text.printing import echo, printed_line
from lamella.domain.validation import LamellaError

_TITLE_CHARACTERS = 100
"""Maximum length of a title in an error, so that the longest error fits the budget of a reply."""


@frozen(kw_only=True)
class Candidate:
    """One of several memories or conversations matching a short id or a name."""

    id: str
    title: str

    def __str__(self) -> str:
        return f"{self.id} ({printed_line(self.title)[:_TITLE_CHARACTERS] or 'untitled'})"


@frozen(kw_only=True)
class ObservationNotFoundError(LamellaError):
    """No observation of the project has the id."""

    id: str

    def __str__(self) -> str:
        return f"No observation found with id: {echo(printed_line(self.id))}"


@frozen(kw_only=True)
class NotReplaceableError(LamellaError):
    """A memory to be replaced is missing, purged, or has another scope. `reason` says which.

    `by` is the memory's latest version, if the memory was replaced already.
    """

    id: str
    reason: str
    advice: str = "Give ids of memories that are not purged."
    by: Candidate | None = None

    def __str__(self) -> str:
        id = echo(printed_line(self.id))
        advice = f"Its latest version is {self.by}." if self.by else self.advice
        return f"Nothing was saved, because {id} can't be replaced: {self.reason}. {advice}"


@frozen(kw_only=True)
class NothingFoundError(LamellaError):
    """A search by words, id or title has no results.

    `degraded` is the reason for a restricted search, in a few words; empty if nothing restricted the search.
    `advice` is a sentence that suggests where else to search. `by_id` is True if only an id was given.
    """

    asked: str
    by_id: bool = False
    degraded: str = ""
    advice: str = ""

    def __str__(self) -> str:
        hint = f" ({self.degraded})" if self.degraded else ""
        hint += f" {self.advice}" if self.advice else ""
        if self.by_id:
            return f"No memory has the id '{echo(self.asked)}'. {self.advice or 'Check the id.'}"
        return f"{self.outcome} Try broader search terms or check the ID.{hint}"

    @property
    def outcome(self) -> str:
        """First sentence of the message, without the advice."""
        return f"No memories found matching '{echo(self.asked)}'."


@frozen(kw_only=True)
class ObservationPurgedError(NothingFoundError):
    """A memory requested by id is purged. `restore` says how to restore the memory; it may be empty."""

    id: str
    day: date
    restore: str = ""

    def __str__(self) -> str:
        hint = f" To restore it: {self.restore}" if self.restore else ""
        return f"The memory {self.id} was purged on {self.day}.{hint}"


@frozen(kw_only=True)
class ReplacedError(LamellaError):
    """The requested memory is purged: `by` replaced it."""

    id: str
    by: Candidate

    def __str__(self) -> str:
        return f"The memory {self.id} was replaced by {self.by}. Recall that one, or restore {self.id}."


@frozen(kw_only=True)
class AmbiguousIdError(LamellaError):
    """A short id matches several memories."""

    prefix: str
    candidates: Sequence[Candidate]

    def __str__(self) -> str:
        listed = "; ".join(map(str, self.candidates))
        return f"The id '{self.prefix}' is ambiguous: use more of its characters. It could be: {listed}"


@frozen(kw_only=True)
class NoneChangedError(LamellaError):
    """A purge or restore changed nothing. `reply` gives the reason for each id."""

    reply: str

    def __str__(self) -> str:
        return self.reply
