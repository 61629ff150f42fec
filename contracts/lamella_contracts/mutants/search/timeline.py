"""Faults in what is around a moment."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.query import Match
from lamella.domain.memories.timeline import Neighbours
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant
from lamella_contracts.mutants.fault import HISTORY

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


def _alike(right: Right, anchor: Any, **rest: Any) -> Neighbours:
    found = right(anchor, **rest)
    return evolve(found, centre=found.centre and evolve(found.centre, match=Match.NEIGHBOUR))


def _before_itself(right: Right, anchor: Any, **rest: Any) -> Neighbours:
    found = right(anchor, **rest)
    return evolve(found, total_before=found.total_before + (found.centre is not None))


def _nothing(right: Right, anchor: Any, **rest: Any) -> Neighbours:
    try:
        return right(anchor, **rest)
    except ObservationNotFoundError:
        return Neighbours()


NEAREST = "around_a_moment_are_the_nearest_of_each_side"
AT = "what_was_saved_at_the_moment_is_before_it"
BETWEEN = "around_an_observation_it_stands_between"
WITHIN = "around_within_a_session_others_are_left_out"
PURGED = "purged_ones_are_not_around"
SHOWN = "purged_ones_are_around_when_asked_for"
CLOCK = "around_is_ordered_by_moment_and_sequence"

MUTANTS = (
    Mutant(
        fault="a centre is its own neighbour",
        search=around(_alike),
        trips={"neighbours_are_told_from_their_centre"},
    ),
    Mutant(
        fault="what is around never shows purged ones",
        search=around(lambda right, anchor, **rest: right(anchor, **{**rest, "include_purged": False})),
        trips={SHOWN},
    ),
    Mutant(
        fault="what is before is newest first",
        search=around(_newest_first),
        trips={"a_moment_is_the_same_in_every_zone", NEAREST, AT, CLOCK, WITHIN, SHOWN},
    ),
    Mutant(
        fault="an observation is before itself",
        search=around(_before_itself),
        trips={BETWEEN, CLOCK, WITHIN, PURGED, SHOWN},
    ),
    Mutant(
        fault="nothing is around what is not there",
        search=around(_nothing),
        trips={"around_nothing_is_an_error", HISTORY},
    ),
)
