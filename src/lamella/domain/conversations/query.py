"""A search for messages, its hits, and the factor by which old messages score lower."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property

from attrs import field, frozen

from lamella.domain.conversations.message import Message
from lamella.domain.memories.limits import DEFAULT_LIMIT
from lamella.domain.memories.query import Filters, Home, Span, complete
from lamella.domain.text.printing import as_text
from lamella.domain.text.words import Word, query_words
from lamella.domain.validation import at_least, aware, is_text


@frozen(kw_only=True)
class MessageQuery:
    """A search for words in the messages of a project.

    Attributes:
        text: The words to look for.
        now: Current time, to compute the age of messages.
        filters: Result of `Filters.completed`. Only `session`, `since` and `until` apply to messages.
        limit: Maximum number of messages.
    """

    text: str = field(converter=as_text, validator=is_text)
    now: datetime = field(validator=aware)
    filters: Filters = field(factory=Filters, validator=complete)
    limit: int = field(default=DEFAULT_LIMIT, validator=at_least(1))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Words of the text; empty if it has only stop words."""
        return query_words(self.text)


@frozen(kw_only=True)
class MessageHit:
    """A message as a hit.

    Attributes:
        message: The message.
        session_name: Name of the message's session.
        score: Score of the hit, positive; higher is better.
        strength: Strength of the match, from 0 to 1; see `search.strength`. If the preceding message is a
            question, its words count as words of this message.
        spans: Spans of the query's words in the text of the message, sorted by `start`.
        held: Weight of each matched word of the query. A rare word weighs more (see `rarity`). Like `strength`,
            this includes words of a preceding question.
        features: Parts of the score, keyed by feature, if an explanation was requested.
        project: Project of the message, if all projects were searched.
    """

    message: Message
    session_name: str
    score: float
    strength: float
    spans: Sequence[Span] = ()
    held: Mapping[str, float] = field(factory=dict)
    features: Mapping[str, float] | None = None
    project: Home | None = None


YEAR = timedelta(days=365)

YEARLY_DISCOUNT = 0.3
"""Growth of a score's divisor for each `YEAR` of the message's age; see `recency`."""


def recency(at: datetime, now: datetime) -> float:
    """Return the factor for a message's score: 1 for a new message, 1 / 1.3 after a year, 1 / 1.6 after two.

    The factor is `1 / (1 + 0.3 * age in years)`. It falls smoothly, without sudden drops, and never reaches zero,
    so old decisions stay findable.
    """
    return 1 / (1 + YEARLY_DISCOUNT * (max(timedelta(), now - at) / YEAR))
