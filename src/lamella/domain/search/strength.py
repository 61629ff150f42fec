"""Strength of matches: rankings of several projects as one, and answers whose best result holds little."""

from collections.abc import Iterable

from attrs import evolve

from lamella.domain.memories.query import Hit

WEAK_STRENGTH = 0.37
"""An answer is weak if its best result has less, as for 90 % of unrelated questions (see `bench/README.md`)."""

WEAK = "weak match: try other words"
"""Notice of a weak answer."""


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
