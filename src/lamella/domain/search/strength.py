"""Weak matches: answers whose best hit holds little of what was asked for."""

from collections.abc import Sequence
from typing import TypeVar

from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Hit

WEAK_STRENGTH = 0.38
"""An answer is weak if its best hit has less: of unrelated questions 90 % have (measured: `bench/README.md`)."""

MOST_WEAK = 3
"""Hits of a weak answer that are shown."""

AnyHit = TypeVar("AnyHit", Hit, MessageHit)


def is_weak(hits: Sequence[Hit] | Sequence[MessageHit]) -> bool:
    """Return True if there are hits, and the strongest holds too little of the question."""
    return len(hits) > 0 and max(hit.strength or 0.0 for hit in hits) < WEAK_STRENGTH


def without_weak(hits: tuple[AnyHit, ...]) -> tuple[AnyHit, ...]:
    """Return the hits to show: of a weak answer only a few."""
    return hits[:MOST_WEAK] if is_weak(hits) else hits
