"""Ageing of captured edits: an old edit loses its lines, and keeps the lines' fingerprints."""

from attrs import evolve

from lamella.domain.ledger.describe import described
from lamella.domain.memories.kind import ACCOUNT, EDITED, FOUND, PARTS_APART
from lamella.domain.memories.observation import Kind, Observation


def ages(observation: Observation) -> bool:
    """Return True for captured edits. Saved memories and learned commits never age."""
    return observation.kind is Kind.CHANGE and observation.source in (EDITED, FOUND)


def aged(observation: Observation) -> Observation | None:
    """Return a captured edit without the added and removed lines. Reason, paths and numbers of lines stay.

    Returns:
        The edit. None if the observation has no lines, or isn't a captured edit.
    """
    if not ages(observation) or not any(change.hunks for change in observation.changes):
        return None
    changes = tuple(evolve(change, hunks="") for change in observation.changes)
    reason, _, account = f"{PARTS_APART}{observation.content}".partition(PARTS_APART + ACCOUNT)
    content = described(changes, reason.removeprefix(PARTS_APART)) if account else observation.content
    return evolve(observation, content=content, changes=changes)
