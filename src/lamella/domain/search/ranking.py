"""Ranking of candidates. A candidate's score is the sum of its named features, weighted by the table in `weights`.

Scores by words and by meaning are fused by a convex combination of exact scores (Bruch, Gai and Ingber, "An
Analysis of Fusion Functions for Hybrid Retrieval", 2023). Every candidate has both scores, no matter which
retriever found it. Reciprocal rank fusion was worse than words alone in measurements.

The better the words of the best candidate match, the more words count: a single common word must not beat meaning.
The better meaning distinguishes the candidates, the more meaning counts. A session with well-matching memories
raises the scores of all its memories.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from statistics import median
from typing import TypeVar
from uuid import UUID

from attrs import evolve, field, frozen

from lamella.domain.conversations.query import MessageHit
from lamella.domain.embeddings.calibration import TYPICAL, Calibration
from lamella.domain.memories.query import Hit
from lamella.domain.search import weights
from lamella.domain.search.preferences import Preferences
from lamella.domain.search.weights import SESSION_SHARE, Feature, kind_weight

WORDED = 20
"""Minimum number of candidates to find by words (measured: 40 are no better, see `bench/README.md`)."""

ALIKE = 40
"""Minimum number of candidates to find by meaning.

Measured: turns of dialogue lose 0.5 points with 20, and gain 0.1 with 60 (see `bench/README.md`).
"""

_Found = TypeVar("_Found", Hit, MessageHit)

Features = Mapping[str, float]
"""Points, keyed by feature. The sum of the points is the score."""


@frozen(kw_only=True)
class Candidates:
    """Candidates found by words, by meaning or by both.

    Attributes:
        hits: Distinct hits.
        meaning: Exact cosines, keyed by id; None if only words were searched.
        words: Exact text scores, keyed by id.
        calibration: Calibration of the embedding model.
        preferences: Preferences of the question.
        covered: If the question is a list of keywords, the result of `covered_by_topics`, else None.
    """

    hits: Sequence[Hit]
    words: Mapping[UUID, float]
    meaning: Mapping[UUID, float] | None = None
    calibration: Calibration = TYPICAL
    preferences: Preferences = field(factory=lambda: Preferences.of("", ()))
    covered: float | None = None

    def related(self, id: UUID) -> bool:
        """Return True if a candidate has a word in common with the question, or is near in meaning.

        If the nearest candidate is near enough, every candidate at least as near as the median counts as near,
        too. Measured: with a fixed threshold alone, 4 % of reworded questions lose their answers.
        """
        alike = self.calibration.related((self.meaning or {}).get(id, 0.0))
        return self.words.get(id, 0.0) > 0 or alike or self._meant.get(id, -1.0) >= self._typical

    @cached_property
    def _meant(self) -> Mapping[UUID, float]:
        """Cosines weighted by the kind of memory, keyed by id.

        Empty if even the nearest candidate is unrelated.
        """
        if not self.meaning or not self.calibration.related(max(self.meaning.values())):
            return {}
        of = {hit.observation.id: kind_weight(hit.observation.kind) for hit in self.hits}
        return {id: of[id] * self.meaning[id] for id in of.keys() & self.meaning.keys()}

    @cached_property
    def _typical(self) -> float:
        return max(0.0, median(self._meant.values())) if self._meant else 0.0

    @cached_property
    def clearness(self) -> float:
        """Separation of the candidates by meaning, from 0 to 1: 1 - (median cosine / highest cosine).

        If the model doesn't know the language or the words of the question, all cosines are similar, so the result
        is near 0.
        """
        nearest = max(self._meant.values(), default=0.0)
        return 1 - self._typical / nearest if nearest > 0 else 0.0

    @property
    def words_share(self) -> float:
        """Weight of words in the convex combination. It grows with the best match, and falls with `clearness`.

        Words count more in a list of keywords. Such a list is precise, and a model mixes its topics in a single
        vector.
        """
        strongest = max(self.covered or 0.0, *(hit.strength or 0.0 for hit in self.hits), 0.0)
        weight = weights.WORDS_WEIGHT if self.covered is None else weights.LIST_WORDS_WEIGHT
        words, meaning = weight * min(1.0, strongest / weights.SURE_STRENGTH) ** 2, self.clearness**2
        return words / (words + meaning) if meaning > 0 else 1.0

    def standing_out(self, id: UUID) -> float:
        """Return the difference of a memory's cosine and the median cosine; 0 for a negative difference."""
        return max(0.0, self._meant.get(id, 0.0) - self._typical)

    def likeness(self, id: UUID) -> float:
        """Return the calibrated similarity of the question and a memory, from 0 to 1."""
        return self.calibration.percent((self.meaning or {}).get(id, 0.0)) / 100

    @cached_property
    def contrast(self) -> float:
        """Contrast of the candidates by meaning, from 0 to 1: (1 - lowest cosine / highest cosine) squared.

        If the model doesn't know the language of the question, all texts are near, so the result is near 0. In a
        small project, all candidates may be near because they are related. The lowest cosine is therefore capped
        at the typical cosine of unrelated texts.
        """
        cosines = (self.meaning or {}).values()
        nearest, farthest = max(cosines, default=0.0), min(cosines, default=0.0)
        return (1 - max(0.0, min(farthest, self.calibration.unrelated)) / nearest) ** 2 if nearest > 0 else 0.0

    def strength(self, hit: Hit) -> float:
        """Return the strength of a hit, from its words and its similarity.

        The word match and the similarity are combined like independent probabilities. Similarity is weighted by
        `contrast`. Words count a little less than without a model, since a low similarity is evidence too.
        """
        worded = math.pow(hit.strength or 0.0, weights.WORDED_POWER)
        alike = weights.MOST_LIKE * self.contrast * self.likeness(hit.observation.id)
        return 1 - (1 - worded) * (1 - alike)


def ranked(candidates: Candidates, limit: int, *, explain: bool = False) -> tuple[Hit, ...]:
    """Return the best `limit` candidates with their scores. Ties are broken by cosine, then newest first.

    Purged candidates follow all live candidates, and don't raise the scores of live candidates in their session.
    Unrelated candidates are left out, so that a question about something else has no hits.

    Args:
        candidates: Candidates to rank.
        limit: Maximum number of hits.
        explain: True to include features in hits.
    """
    hits = [hit for hit in candidates.hits if candidates.related(hit.observation.id)]
    own = dict(zip((hit.observation.id for hit in hits), _own_features(candidates, hits), strict=True))
    if candidates.meaning is not None and candidates.covered is None:
        own = _with_sessions(hits, own)
    scores = {id: sum(features.values()) for id, features in own.items()}
    cosines = candidates.meaning or {}

    def place(hit: Hit) -> tuple[bool, float, float, int]:
        said = hit.observation
        return said.purged, -scores[said.id], -cosines.get(said.id, 0.0), -said.sequence

    best = sorted(hits, key=place)[:limit]
    found = tuple(evolve(hit, score=scores[hit.observation.id]) for hit in best)
    if candidates.meaning is not None:
        found = tuple(evolve(hit, strength=candidates.strength(hit)) for hit in found)
    if not explain:
        return found
    alike = [None if candidates.meaning is None else candidates.likeness(hit.observation.id) for hit in found]
    return tuple(
        evolve(hit, features=own[hit.observation.id], likeness=likeness)
        for hit, likeness in zip(found, alike, strict=True)
    )


def _own_features(candidates: Candidates, hits: Iterable[Hit]) -> Iterable[Features]:
    """Yield the features of each hit, without the feature for its session."""
    best_words, share = 1.0, 1.0
    meant = {hit.observation.id: candidates.standing_out(hit.observation.id) for hit in hits}
    best_meaning = _best(meant.values())
    if candidates.meaning is not None:
        best_words, share = _best(candidates.words.values()), candidates.words_share
    for hit in hits:
        id, factor = hit.observation.id, kind_weight(hit.observation.kind)
        features: dict[str, float] = {Feature.WORDS: share * candidates.words.get(id, 0.0) / factor / best_words}
        if candidates.meaning:
            features[Feature.MEANING] = (1 - share) * meant[id] / factor / best_meaning
        yield _preferred(
            features, (Feature.CAPTURED, factor), *candidates.preferences.factors(hit.observation.content)
        )


def _preferred(features: dict[str, float], *factors: tuple[str, float]) -> dict[str, float]:
    """Multiply the sum of features by factors. The change by each factor becomes a separate feature."""
    for name, factor in factors:
        if factor != 1:
            features[name] = (factor - 1) * sum(features.values())
    return features


def _with_sessions(hits: Sequence[Hit], own: Mapping[UUID, Features]) -> dict[UUID, Features]:
    """Add to each hit the feature for its session."""
    by_session: dict[tuple[str, bool], list[float]] = {}
    for hit in hits:
        said = hit.observation
        if said.session is not None:
            by_session.setdefault((said.session, said.purged), []).append(sum(own[said.id].values()))
    lent = {
        session: SESSION_SHARE * sum(sorted(scores, reverse=True)[: weights.SESSION_BEST]) / weights.SESSION_BEST
        for session, scores in by_session.items()
    }
    whole = 1 + SESSION_SHARE
    return {
        said.id: {
            **{name: points / whole for name, points in own[said.id].items()},
            Feature.SESSION: lent.get((said.session or "", said.purged), 0.0) / whole,
        }
        for said in (hit.observation for hit in hits)
    }


def _best(scores: Iterable[float]) -> float:
    """Return the highest score, by which scores are divided; 1 if no score is positive."""
    return max((score for score in scores if score > 0), default=1.0)


def ranked_messages(
    hits: Iterable[MessageHit], preferences: Preferences, limit: int, *, explain: bool = False
) -> tuple[MessageHit, ...]:
    """Return the best `limit` messages, with scores adjusted by preferences."""
    found = list[MessageHit]()
    for hit in hits:
        factors = preferences.factors(hit.message.text, hit.message.role)
        features = _preferred({Feature.WORDS: hit.score}, *factors)
        found.append(evolve(hit, score=sum(features.values()), features=features if explain else None))
    return tuple(sorted(found, key=lambda hit: (-hit.score, -hit.message.number))[:limit])


def beside(hits: Iterable[_Found], others: Iterable[_Found]) -> tuple[_Found, ...]:
    """Merge two projects' hits by strength: insert each of `others` before the first weaker hit of `hits`.

    Each ranking keeps its own order. Scores aren't comparable between projects, but strengths are.
    """
    merged, place = list(hits), 0
    for other in others:
        while place < len(merged) and (merged[place].strength or 0.0) >= (other.strength or 0.0):
            place += 1
        merged.insert(place, other)
        place += 1
    return tuple(merged)
