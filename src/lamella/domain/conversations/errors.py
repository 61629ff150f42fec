"""Errors about requested conversations."""

from collections.abc import Sequence

from attrs import frozen

from lamella.domain.errors import AdvisedError
from lamella.domain.memories.errors import Candidate
from lamella.domain.text.printing import echo
from lamella.domain.validation import LamellaError

NOT_SHARED = (
    "conversations stay on the machine, in the client's transcripts, unless LAMELLA_SHARE_CONVERSATIONS=on"
)
"""Notice in a reply if the user doesn't share conversations with other machines, so the storage has none."""


@frozen(kw_only=True)
class ConversationsNotSharedError(AdvisedError):
    """The storage is shared with other machines, and the user hasn't allowed conversations to be stored there."""

    reason: str = "Others may read this storage: conversations stay on the machine, in the client's transcripts."
    advice: str = "To share yours, set LAMELLA_SHARE_CONVERSATIONS=on."


@frozen(kw_only=True)
class MessageNotFoundError(LamellaError):
    """No message of the project has the number."""

    number: int

    def __str__(self) -> str:
        return f"Message {echo(str(self.number))} not found"


@frozen(kw_only=True)
class UnknownSessionError(LamellaError):
    """No conversation of the project has this id or name."""

    asked: str

    def __str__(self) -> str:
        return (
            f"No conversation is known as '{echo(self.asked)}'."
            " Give its id or name; the beginning is enough. List them with: lamella sessions"
        )


@frozen(kw_only=True)
class AmbiguousSessionError(LamellaError):
    """Several conversations have this name or id prefix; `candidates` has the latest of them."""

    asked: str
    candidates: Sequence[Candidate]

    def __str__(self) -> str:
        listed = "; ".join(map(str, self.candidates))
        return f"'{echo(self.asked)}' matches several conversations. Use an id. Some of them: {listed}"
