"""Prefer what a question asks for among the hits of its words."""

from collections.abc import Callable, Iterable, Sequence

from attrs import evolve, frozen

from lamella.domain.conversations.message import Role
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Hit
from lamella.domain.search import expected_answers
from lamella.domain.search.speakers import Speakers
from lamella.domain.text.words import Word

POOL = 40
"""Hits that are looked at for a question that may prefer some (measured: 20 to 100 do equally well)."""


@frozen
class Preferences:
    """Preferences of a question: for what somebody said whom it names, and for texts that can answer it.

    Attributes:
        speakers: Those whom it may name.
        answering: Function from a text to the factor for its score; None if any text may answer.
    """

    speakers: Speakers
    answering: Callable[[str], float] | None

    @classmethod
    def of(cls, question: str, words: Sequence[Word]) -> "Preferences":
        """Return the preferences of a question with these words."""
        return cls(Speakers.of(question, words), expected_answers.preference(question))

    def concern(self, texts: Iterable[str]) -> bool:
        """Return True if they may change the order of these texts: words with a capital may be no names."""
        return self.answering is not None or self.speakers.concern(texts)

    def factor(self, text: str, role: Role | None = None) -> float:
        """Return the factor for the score of a text, which a message's author of that role has said."""
        answering = 1.0 if self.answering is None else self.answering(text)
        return answering * self.speakers.preference(text, role)

    def memories(self, hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
        """Return the best hits by words, preferred ones first; purged ones follow all live ones."""
        scored = [evolve(hit, score=(hit.score or 0.0) * self.factor(hit.observation.content)) for hit in hits]
        ranked = sorted(
            scored, key=lambda hit: (hit.observation.purged, -(hit.score or 0.0), -hit.observation.sequence)
        )
        return tuple(ranked[:limit])

    def messages(self, hits: Sequence[MessageHit], limit: int) -> tuple[MessageHit, ...]:
        """Return the best messages, preferred ones first."""
        scored = [evolve(hit, score=hit.score * self.factor(hit.message.text, hit.message.role)) for hit in hits]
        return tuple(sorted(scored, key=lambda hit: (-hit.score, -hit.message.number))[:limit])
