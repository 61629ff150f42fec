"""Remembering which memories a review has kept."""

from collections.abc import Sequence

from lamella.domain.transactions.conversation_writes import SetPosition
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

_SOURCE = "lamella:review"
"""Name under which the marks are stored, beside the positions of imports."""

_MOST = 2_000
"""Most marks, the latest ones."""

LOOK = Look(sources=(_SOURCE,))
"""What `kept` and `decide_keep` need to know."""


def kept(facts: Facts) -> Sequence[str]:
    """Return the marks of the memories that were kept, the latest last."""
    return facts.positions.get(_SOURCE, "").split()


def decide_keep(marks: Sequence[str], facts: Facts) -> tuple[Plan, None]:
    """Remember marks of memories that a review has kept."""
    latest = [*dict.fromkeys([*(each for each in kept(facts) if each not in marks), *marks])][-_MOST:]
    return (SetPosition(source=_SOURCE, position=" ".join(latest), origin=facts.project),), None
