"""Order of hits: a memory before the older ones that it seems to correct, and rankings of several projects as one.

Answers are weak whose best hit holds little of the question.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta

from attrs import evolve

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.text.words import STOP_WORDS

WEAK_STRENGTH = 0.37
"""An answer is weak if its best result has less, as for 90 % of unrelated questions (see `bench/README.md`)."""

WEAK = "weak match: try other words"
"""Notice of a weak answer."""

_LEAST_ALIKE = 0.4
"""Least Jaccard index of the words of a memory and its correction (measured: 0.3 and 0.5 do equally well)."""

_LEAST_SCORE = 0.9
"""Least score of the newer one, as a share of the older's.

The scores of two notes that are both true differ more: a question means one of them. Measured with MiniLM on 60
pairs of each kind: 9 more corrections come first, and no other note is lost; at 0.85, three are.
"""

_LEAST_APART = timedelta(days=1)
"""Two memories saved closer together complete each other."""

_WORD = re.compile(r"\w+")


def is_weak(strengths: Iterable[float | None]) -> bool:
    """Return True if there are results, and the strongest holds too little of the question."""
    strongest = max((each or 0.0 for each in strengths), default=None)
    return strongest is not None and strongest < WEAK_STRENGTH


def everywhere(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return hits marked as holding in every project."""
    return tuple(evolve(hit, everywhere=True) for hit in hits)


def by_strength(hits: Iterable[Hit], others: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return two rankings as one: each of `others` comes before the first weaker hit. Both keep their order.

    Scores belong to one project; strength means the same in projects of any size.
    """
    merged, place = list(hits), 0
    for other in others:
        while place < len(merged) and (merged[place].strength or 0.0) >= (other.strength or 0.0):
            place += 1
        merged.insert(place, other)
        place += 1
    return tuple(merged)


def newer_first(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits in order, but each before the first older one that it seems to correct.

    Agents often save a changed decision without naming the memory it replaces, and the older one may match better.
    """
    ranked = list[tuple[Hit, frozenset[str]]]()
    for hit in hits:
        words = _words(hit.observation)
        place = next(
            (
                number
                for number, (other, others) in enumerate(ranked)
                if len(words & others) >= _LEAST_ALIKE * max(1, len(words | others)) and _corrects(hit, other)
            ),
            len(ranked),
        )
        ranked.insert(place, (hit, words))
    return tuple(hit for hit, _ in ranked)


def _words(observation: Observation) -> frozenset[str]:
    """Return the words that tell notes from each other; none of captured memories and purged ones."""
    if observation.kind != Kind.NOTE or observation.purged:
        return frozenset()
    return frozenset(_WORD.findall(f"{observation.title} {observation.content}".lower())) - STOP_WORDS


def _corrects(hit: Hit, older: Hit) -> bool:
    newer, other = hit.observation, older.observation
    return (
        newer.occurred_at - other.occurred_at >= _LEAST_APART
        and (newer.session is None or newer.session != other.session)
        and (hit.score or 0.0) >= _LEAST_SCORE * (older.score or 0.0)
    )
