"""Hits that hold in every project, beside those of the project that was asked for."""

from collections.abc import Iterable

from attrs import evolve

from lamella.domain.memories.query import Hit


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
