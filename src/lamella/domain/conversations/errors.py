"""Errors about conversations that were asked for."""

from collections.abc import Sequence

from attrs import frozen

from lamella.domain.memories.errors import Candidate
from lamella.domain.text.printing import echo
from lamella.domain.validation import LamellaError


@frozen(kw_only=True)
class MessageNotFoundError(LamellaError):
    """No message of this project's conversations has the number."""

    number: int

    def __str__(self) -> str:
        return f"Message {echo(str(self.number))} not found"


@frozen(kw_only=True)
class UnknownSessionError(LamellaError):
    """No conversation of this project has this id or name."""

    asked: str

    def __str__(self) -> str:
        return (
            f"No conversation is known as '{echo(self.asked)}'."
            " Give its id or its name, or how one of them begins. List them with: lamella sessions"
        )


@frozen(kw_only=True)
class AmbiguousSessionError(LamellaError):
    """Several conversations have this name, or begin like this; `candidates` are the latest of them."""

    asked: str
    candidates: Sequence[Candidate]

    def __str__(self) -> str:
        listed = "; ".join(map(str, self.candidates))
        return f"'{echo(self.asked)}' could be several conversations. Use an id. Some of them: {listed}"
