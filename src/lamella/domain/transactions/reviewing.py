"""Marks of kept memories, which the user has confirmed in a review. A mark is a hash of the memory's id."""

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.transactions.auditing import audited
from lamella.domain.transactions.conversation_writes import SetPosition
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

_SOURCE = "lamella:review"
"""Source name to store the marks under, in the table of import positions."""

_MOST = 2_000
"""Maximum number of stored marks. Only the latest marks are kept."""

_DIGITS = 12

LOOK = Look(sources=(_SOURCE,))
"""Query for the facts that `kept` and `decide_keep` need."""


def mark(id: UUID) -> str:
    """Return the mark of a kept memory. It is a hash, so it doesn't reveal the memory's id."""
    return sha256(id.bytes).hexdigest()[:_DIGITS]


def kept(facts: Facts) -> Sequence[str]:
    """Return the marks of kept memories, oldest first."""
    return facts.positions.get(_SOURCE, "").split()


def decide_keep(entry: AuditEntry, facts: Facts) -> tuple[Plan, Facts]:
    """Plan to mark the `restored` memories of an entry as reviewed, and its `purged` memories as not reviewed.

    Returns:
        The plan, and the facts after it.
    """
    known, changed = kept(facts), set(map(mark, entry.memories))
    marks = (*(each for each in known if each not in changed), *dict.fromkeys(map(mark, entry.restored)))
    position = " ".join(marks[-_MOST:])
    new = tuple(id for id in entry.restored if mark(id) not in known)
    plan = (
        SetPosition(source=_SOURCE, position=position, origin=facts.project),
        # A split leaves the marks here, so the entry stays with them.
        *audited(evolve(entry, restored=new, origin=facts.project), facts),
    )
    return plan, evolve(facts, positions={**facts.positions, _SOURCE: position})
