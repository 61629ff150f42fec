"""Rank candidates: one table of weights makes points of their named features, whose sum is the score.

Words and meaning are combined convexly by exact scores (Bruch, Gai and Ingber, "An Analysis of Fusion Functions
for Hybrid Retrieval", 2023): both are known for every candidate, whichever retriever found it. Combining by rank
instead (reciprocal-rank fusion) was measured to be worse than words alone. Words count the more the better they
match, so that one stray word in common doesn't beat meaning, and meaning the clearer it tells candidates apart. A
session whose best memories match well lends some of that to all of its memories.
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
from lamella.domain.memories.query import ByText, Hit
from lamella.domain.search import weights
from lamella.domain.search.preferences import Preferences
from lamella.domain.search.weights import SESSION_SHARE, Feature, kind_weight

WORDED = 20
"""The least number of hits by words (measured: 40 do no better, see `bench/README.md`)."""

ALIKE = 40
"""The least number of hits by meaning (measured: turns of dialogue lose 0.5 with 20, gain 0.1 with 60; same)."""

WEAK = "weak match: try other words"
"""Notice of a weak answer."""

_WORDS_OF_TOPIC = 2

_Found = TypeVar("_Found", Hit, MessageHit)

Features = Mapping[str, float]
"""Points by feature; their sum is the score."""


@frozen(kw_only=True)
class Candidates:
    """Hits of one retriever or of both.

    Attributes:
        hits: The hits, each once.
        meaning: Exact cosines, by id; None if only words were searched.
        words: Exact scores by words, by id.
        calibration: Calibration of the model of the cosines.
        preferences: Those of the question.
        covered: What its topics cover of it, if it is a list of keywords, see `covered_by_topics`.
    """

    hits: Sequence[Hit]
    words: Mapping[UUID, float]
    meaning: Mapping[UUID, float] | None = None
    calibration: Calibration = TYPICAL
    preferences: Preferences = field(factory=lambda: Preferences.of("", ()))
    covered: float | None = None

    def related(self, id: UUID) -> bool:
        """Return True if this one has a word in common with the question, or means something like it.

        Where the nearest is related, so is what is no farther than the typical candidate. Measured: a floor alone
        leaves out the answers of 4 % of reworded questions.
        """
        alike = self.calibration.related((self.meaning or {}).get(id, 0.0))
        return self.words.get(id, 0.0) > 0 or alike or self._meant.get(id, -1.0) >= self._typical

    @cached_property
    def _meant(self) -> Mapping[UUID, float]:
        """Cosines by id, weighted by kind; empty if no candidate is related."""
        if not self.meaning or not self.calibration.related(max(self.meaning.values())):
            return {}
        of = {hit.observation.id: kind_weight(hit.observation.kind) for hit in self.hits}
        return {id: of[id] * self.meaning[id] for id in of.keys() & self.meaning.keys()}

    @cached_property
    def _typical(self) -> float:
        return max(0.0, median(self._meant.values())) if self._meant else 0.0

    @cached_property
    def clearness(self) -> float:
        """How far the nearest stands out from the typical candidate, as a share of its cosine, from 0 to 1.

        A model that doesn't know the language or the words of a question puts everything equally near.
        """
        nearest = max(self._meant.values(), default=0.0)
        return 1 - self._typical / nearest if nearest > 0 else 0.0

    @property
    def words_share(self) -> float:
        """Share of the words in a score: words count the more the better they match, meaning the clearer it is.

        A list of keywords names what is meant, and a model makes one vector of several topics, so words count for
        more there.
        """
        strongest = max(self.covered or 0.0, *(hit.strength or 0.0 for hit in self.hits), 0.0)
        weight = weights.WORDS_WEIGHT if self.covered is None else weights.LIST_WORDS_WEIGHT
        words, meaning = weight * min(1.0, strongest / weights.SURE_STRENGTH) ** 2, self.clearness**2
        return words / (words + meaning) if meaning > 0 else 1.0

    def standing_out(self, id: UUID) -> float:
        """Return by how much a memory is nearer than the typical candidate; 0 if it isn't."""
        return max(0.0, self._meant.get(id, 0.0) - self._typical)

    def likeness(self, id: UUID) -> float:
        """Return how alike the question and a memory are, from 0 to 1."""
        return self.calibration.percent((self.meaning or {}).get(id, 0.0)) / 100

    @cached_property
    def contrast(self) -> float:
        """Square of the nearest candidate's lead over the farthest, as a share of its cosine, from 0 to 1.

        A model that doesn't know the language of a question puts every text near. In a small project no candidate
        may be far, so the farthest is at most as near as unrelated texts of the model.
        """
        cosines = (self.meaning or {}).values()
        nearest, farthest = max(cosines, default=0.0), min(cosines, default=0.0)
        return (1 - max(0.0, min(farthest, self.calibration.unrelated)) / nearest) ** 2 if nearest > 0 else 0.0

    def strength(self, hit: Hit) -> float:
        """Return the strength of a hit: that of its words, and how alike it is by the contrast of the candidates.

        Both are evidence of the same, so that what either leaves open the other may close. Words count a little
        less than without a model, whose doubt is evidence too.
        """
        worded = math.pow(hit.strength or 0.0, weights.WORDED_POWER)
        alike = weights.MOST_LIKE * self.contrast * self.likeness(hit.observation.id)
        return 1 - (1 - worded) * (1 - alike)


def ranked(candidates: Candidates, limit: int, *, explain: bool = False) -> tuple[Hit, ...]:
    """Return the best `limit` candidates with their scores; equal scores: the nearer first, then the later saved.

    Purged ones follow all live ones, and lend nothing to their sessions. What is not related is left out, so that
    a question about something else brings up nothing.

    Args:
        candidates: The candidates.
        limit: Most hits.
        explain: True if hits bring their features.
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
    """Yield the features that each hit has by itself."""
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
            features,
            (Feature.CAPTURED, factor),
            *candidates.preferences.factors(hit.observation.content),
        )


def _preferred(features: dict[str, float], *factors: tuple[str, float]) -> dict[str, float]:
    """Return features with what each of the factors adds to their sum, or takes away."""
    for name, factor in factors:
        if factor != 1:
            features[name] = (factor - 1) * sum(features.values())
    return features


def _with_sessions(hits: Sequence[Hit], own: Mapping[UUID, Features]) -> dict[UUID, Features]:
    """Return features with what its session lends each hit."""
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
    """Return the highest score, by which all are divided; 1 where none is positive."""
    return max((score for score in scores if score > 0), default=1.0)


def ranked_messages(
    hits: Iterable[MessageHit], preferences: Preferences, limit: int, *, explain: bool = False
) -> tuple[MessageHit, ...]:
    """Return the best messages, preferred ones first."""
    found = list[MessageHit]()
    for hit in hits:
        factors = preferences.factors(hit.message.text, hit.message.role)
        features = _preferred({Feature.WORDS: hit.score}, *factors)
        found.append(evolve(hit, score=sum(features.values()), features=features if explain else None))
    return tuple(sorted(found, key=lambda hit: (-hit.score, -hit.message.number))[:limit])


def covered_by_topics(question: ByText, hits: Iterable[Hit]) -> float | None:
    """Return the share of a list of keywords that its topics hold; 0 if it has one topic, None for a sentence.

    Agents ask for several topics at once, in a list of keywords: no memory holds most of it, but some hold it
    together. A memory is about a topic if it holds two words that no better one holds.
    """
    if not question.is_list:
        return None
    covered, topics = set[str](), 0
    holding = [hit.held.keys() for hit in hits]
    while len(more := max((words - covered for words in holding), key=len, default=set())) >= _WORDS_OF_TOPIC:
        covered |= more
        topics += 1
    return len(covered) / len(question.words) if topics > 1 else 0.0


def label(strengths: Iterable[float | None], covered: float | None = None) -> tuple[str, ...]:
    """Return the notice of an answer whose strongest result holds too little of the question.

    `covered` is the share of a list of keywords that its topics hold.
    """
    if (covered or 0.0) >= weights.LEAST_COVERED:
        return ()
    strongest = max((each or 0.0 for each in strengths), default=None)
    return (WEAK,) if strongest is not None and strongest < weights.WEAK_STRENGTH else ()


def beside(hits: Iterable[_Found], others: Iterable[_Found]) -> tuple[_Found, ...]:
    """Return the rankings of two projects as one: each of `others` comes before the first weaker hit.

    Both keep their order. Scores belong to one project; strength means the same in projects of any size.
    """
    merged, place = list(hits), 0
    for other in others:
        while place < len(merged) and (merged[place].strength or 0.0) >= (other.strength or 0.0):
            place += 1
        merged.insert(place, other)
        place += 1
    return tuple(merged)
