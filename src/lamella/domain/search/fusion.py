"""Fuse two rankings: by words and by meaning.

A convex combination of exact scores (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
Retrieval", 2023): both kinds are known for every candidate, whichever retriever found it. Combining by rank
instead (reciprocal-rank fusion) was measured to be worse than words alone. Words count the more the better
they match, so that one stray word in common doesn't beat meaning. A session whose best memories match well lends
some of that to all of its memories.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from attrs import evolve, field, frozen

from lamella.domain.embeddings.calibration import Calibration
from lamella.domain.memories.query import Hit
from lamella.domain.search.preferences import Preferences
from lamella.domain.search.weights import kind_weight

WORDED = 20
"""The least number of hits by words (measured: 40 do no better, see `bench/README.md`)."""

ALIKE = 40
"""The least number of hits by meaning (measured: turns of dialogue lose 0.5 with 20, gain 0.1 with 60; same)."""

WORDS_SHARE = 0.6
"""Largest share of the words in a score, the rest is meaning's (measured: flat from 0.5 to 0.7)."""

SURE_STRENGTH = 0.6
"""Strength of the best hit by words from which they have this share (measured: flat from 0.5 to 0.8)."""

SESSION_SHARE = 0.5
"""Weight of a session's own score against a memory's (measured: flat from 0.4 to 0.6, same)."""

_MOST_LIKE = 0.1
"""Strength of what is wholly alike and has no word of the question.

Measured: with less, more right answers are cut, with more, more unrelated ones are strong (`bench/README.md`).
"""

_SESSION_BEST = 3
"""Number of its best memories that make a session's score, which is divided by it even if there are fewer."""


@frozen(kw_only=True)
class Candidates:
    """Hits of both retrievers.

    Attributes:
        hits: The hits, each once.
        words: Exact scores by words, by id.
        meaning: Exact cosines, by id.
        calibration: Calibration of the model of the cosines.
        preferences: Those of the question.
    """

    hits: Sequence[Hit]
    words: Mapping[UUID, float]
    meaning: Mapping[UUID, float]
    calibration: Calibration
    preferences: Preferences = field(factory=lambda: Preferences.of("", ()))

    def related(self, id: UUID) -> bool:
        """Return True if this one has a word in common with the question, or means something like it."""
        return self.words.get(id, 0.0) > 0 or self.calibration.related(self.meaning.get(id, 0.0))

    @property
    def words_share(self) -> float:
        """Share of the words in a score: it rises with the square of the best strength by words.

        Measured: linear, questions in other words lose 4 points of nDCG@10; with the cube, Japanese loses as much.
        """
        strongest = max((hit.strength or 0.0 for hit in self.hits), default=0.0)
        return WORDS_SHARE * min(1.0, strongest / SURE_STRENGTH) ** 2

    def strength(self, hit: Hit) -> float:
        """Return the strength of a hit: that of its words, and how alike it is, which alone is never strong.

        Both are evidence of the same, so that what either leaves open the other may close. Of the best of many
        memories likeness says little by itself: with static vectors, a third of unrelated questions has one that
        is as like as right answers are (measured: `bench/README.md`).
        """
        likeness = self.calibration.percent(self.meaning.get(hit.observation.id, 0.0)) / 100
        return 1 - (1 - (hit.strength or 0.0)) * (1 - _MOST_LIKE * likeness)


def fused(candidates: Candidates, limit: int) -> tuple[Hit, ...]:
    """Return the best `limit` candidates with their fused scores; equal scores: the later saved first.

    Purged ones follow all live ones, and lend nothing to their sessions. What is not related is left out, so that
    a question about something else brings up nothing.
    """
    meaning = {
        hit.observation.id: kind_weight(hit.observation.kind) * candidates.meaning.get(hit.observation.id, 0.0)
        for hit in candidates.hits
    }
    best_words, best_meaning = _best(candidates.words), _best(meaning)
    words_share = candidates.words_share
    own = {
        hit.observation.id: candidates.preferences.factor(hit.observation.content)
        * (
            words_share * candidates.words.get(hit.observation.id, 0.0) / best_words
            + (1 - words_share) * max(0.0, meaning[hit.observation.id]) / best_meaning
        )
        for hit in candidates.hits
    }
    related = [hit for hit in candidates.hits if candidates.related(hit.observation.id)]
    sessions = _session_scores((hit, own[hit.observation.id]) for hit in related)

    def score(hit: Hit) -> float:
        shared = SESSION_SHARE * sessions.get(_session(hit), 0.0)
        return (own[hit.observation.id] + shared) / (1 + SESSION_SHARE)

    scored = [evolve(hit, score=score(hit), strength=candidates.strength(hit)) for hit in related]
    return tuple(sorted(scored, key=_rank)[:limit])


_Session = tuple[str | None, bool]


def _session(hit: Hit) -> _Session:
    return hit.observation.session, hit.observation.purged


def _session_scores(scored: Iterable[tuple[Hit, float]]) -> Mapping[_Session, float]:
    by_session: dict[_Session, list[float]] = {}
    for hit, score in scored:
        if hit.observation.session is not None:
            by_session.setdefault(_session(hit), []).append(score)
    return {
        session: sum(sorted(scores, reverse=True)[:_SESSION_BEST]) / _SESSION_BEST
        for session, scores in by_session.items()
    }


def _best(scores: Mapping[UUID, float]) -> float:
    """Return the highest score, by which all are divided; 1 where none is positive."""
    return max((score for score in scores.values() if score > 0), default=1.0)


def _rank(hit: Hit) -> tuple[bool, float, int]:
    return hit.observation.purged, -(hit.score or 0.0), -hit.observation.sequence
