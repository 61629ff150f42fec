"""Marks of memories that a review has kept."""

from collections.abc import Sequence

from lamella.domain.transactions.conversation_writes import SetPosition
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

_SOURCE = "lamella:review"
"""Source name to store the marks under, in the table of import positions."""

_MOST = 2_000
"""Maximum number of marks, the latest ones."""

LOOK = Look(sources=(_SOURCE,))
"""Look for `kept` and `decide_keep`."""


def kept(facts: Facts) -> Sequence[str]:
    """Return the marks of kept memories, oldest first."""
    return facts.positions.get(_SOURCE, "").split()


def decide_keep(marks: Sequence[str], facts: Facts) -> tuple[Plan, None]:
    """Remember marks of memories kept in a review."""
    latest = [*dict.fromkeys([*(each for each in kept(facts) if each not in marks), *marks])][-_MOST:]
    return (SetPosition(source=_SOURCE, position=" ".join(latest), origin=facts.project),), None
