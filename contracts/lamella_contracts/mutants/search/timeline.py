"""Faults in what is around a moment."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.timeline import Surroundings
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant
from lamella_contracts.mutants.fault import HISTORY

Right = Callable[..., Surroundings]


def around(change: Callable[..., Surroundings]) -> type[InMemorySearch]:
    """Search with other surroundings: `change` is given the right ones as a function, the anchor and the rest."""

    class Around(InMemorySearch):
        def around(
            self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
        ) -> Surroundings:
            return change(self, super().around, anchor, before=before, after=after, session=session)

    return Around


def _newest_first(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    return evolve(found, before=found.before[::-1])


def _before_itself(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    return evolve(found, total_before=found.total_before + (found.centre is not None))


def _nothing(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    try:
        return right(anchor, **rest)
    except ObservationNotFoundError:
        return Surroundings(anchor=anchor)


NEAREST = "around_a_moment_are_the_nearest_of_each_side"
AT = "what_was_saved_at_the_moment_is_before_it"
BETWEEN = "around_an_observation_it_stands_between"
WITHIN = "around_within_a_session_others_are_left_out"
PURGED = "purged_ones_are_not_around"
CLOCK = "around_is_ordered_by_moment_and_sequence"

MUTANTS = (
    Mutant(
        fault="what is before is newest first",
        search=around(_newest_first),
        trips={"a_moment_is_the_same_in_every_zone", NEAREST, AT, CLOCK, WITHIN},
    ),
    Mutant(
        fault="an observation is before itself",
        search=around(_before_itself),
        trips={BETWEEN, CLOCK, WITHIN, PURGED},
    ),
    Mutant(
        fault="nothing is around what is not there",
        search=around(_nothing),
        trips={"around_nothing_is_an_error", PURGED, HISTORY},
    ),
)
