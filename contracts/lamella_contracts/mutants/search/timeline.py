"""Faults in the surroundings of a moment."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.timeline import Neighbours
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()

Right = Callable[..., Neighbours]


def around(change: Callable[..., Neighbours]) -> type[InMemorySearch]:
    """Search with other surroundings: `change` is given the right ones as a function, and its arguments."""

    class Around(InMemorySearch):
        def around(self, anchor: UUID | datetime, **rest: Any) -> Neighbours:
            return change(super().around, anchor, **rest)

    return Around


def _newest_first(right: Right, anchor: Any, **rest: Any) -> Neighbours:
    found = right(anchor, **rest)
    return evolve(found, before=found.before[::-1])


def _nothing(right: Right, anchor: Any, **rest: Any) -> Neighbours:
    try:
        return right(anchor, **rest)
    except ObservationNotFoundError:
        return Neighbours()


MUTANTS.add("surroundings never include purged memories", "hits_have_short_ids", "purged_ones_are_not_around")(
    around(lambda right, anchor, **rest: right(anchor, **{**rest, "include_purged": False}))
)
MUTANTS.add(
    "the earlier neighbours are newest first",
    "around_a_moment_are_the_nearest_of_each_side",
    "around_is_ordered_by_moment_and_sequence",
    "around_within_a_session_others_are_left_out",
)(around(_newest_first))
MUTANTS.add(
    "an unknown anchor has no neighbours", "any_history_agrees_with_the_model", "around_nothing_is_an_error"
)(around(_nothing))
