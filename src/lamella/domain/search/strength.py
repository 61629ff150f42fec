"""Weak matches: answers whose best result holds little of what was asked for."""

from collections.abc import Iterable

WEAK_STRENGTH = 0.37
"""An answer is weak if its best result has less, as for 90 % of unrelated questions (see `bench/README.md`)."""

WEAK = "weak match: try other words"
"""Notice of a weak answer."""

MOST_WEAK = 3
"""Results of a weak answer that are shown."""


def is_weak(strengths: Iterable[float | None]) -> bool:
    """Return True if there are results, and the strongest holds too little of the question."""
    strongest = max((each or 0.0 for each in strengths), default=None)
    return strongest is not None and strongest < WEAK_STRENGTH
