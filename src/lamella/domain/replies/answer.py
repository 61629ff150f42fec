"""An answer: all that a question brought up, before it is disclosed."""

from attrs import frozen

from lamella.domain.conversations.query import MessageHit
from lamella.domain.errors import Candidate
from lamella.domain.memories.query import Hit


@frozen(kw_only=True)
class Answer:
    """Everything that a question brought up, best first.

    `asked` is what was looked for, as it can be repeated to the asker; empty for the most recent.
    `notices` say in a few words how the search was degraded. `focused` where the rest is the neighbourhood of the
    first hit. `messages` of past conversations follow the others.
    """

    hits: tuple[Hit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    short_ids: tuple[str, ...] = ()
    asked: str = ""
    missing: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, tuple[Candidate, ...]], ...] = ()
    notices: tuple[str, ...] = ()
    focused: bool = False
