"""Faults in what is around a moment."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.timeline import Surroundings
from lamella_adapters.memory import observations
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, changed
from lamella_contracts.mutants.fault import HISTORY
from lamella_contracts.mutants.search.finding import MANY

Right = Callable[..., Surroundings]


def around(change: Callable[..., Surroundings]) -> type[InMemorySearch]:
    """Search with other surroundings: `change` is given the right ones as a function, the anchor and the rest."""

    class Around(InMemorySearch):
        def around(
            self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
        ) -> Surroundings:
            return change(self, super().around, anchor, before=before, after=after, session=session)

    return Around


def _farthest(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    every = right(anchor, **{**rest, "before": MANY})
    return evolve(every, before=every.before[: rest["before"]])


def _newest_first(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    return evolve(found, before=found.before[::-1])


def _totals_of_shown(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    return evolve(found, total_before=len(found.before), total_after=len(found.after))


def _after_its_moment(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    if isinstance(anchor, UUID):
        return right(anchor, **rest)
    return evolve(right(anchor - timedelta(microseconds=1), **rest), anchor=anchor)


def _before_itself(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    return evolve(found, total_before=found.total_before + (found.centre is not None))


def _by_clock(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    with changed(observations, _age=lambda each: (each.created_at, each.sequence)):
        return right(anchor, **rest)


def _of_all_sessions(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    return right(anchor, **{**rest, "session": None})


def _only_of_its_session(_: Any, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    found = right(anchor, **rest)
    if found.centre is not None and rest["session"] not in (None, found.centre.session):
        raise ObservationNotFoundError(id=str(anchor))
    return found


def _with_purged(self: InMemorySearch, right: Right, anchor: Any, **rest: Any) -> Surroundings:
    rows = self.observations.rows
    kept = {id: row.observation for id, row in rows.items()}
    for row in rows.values():
        row.observation = evolve(row.observation, purged_at=None)
    try:
        return right(anchor, **rest)
    finally:
        for id, row in rows.items():
            row.observation = kept[id]


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
    Mutant(fault="the farthest are around", search=around(_farthest), trips={NEAREST}),
    Mutant(
        fault="what is before is newest first",
        search=around(_newest_first),
        trips={"a_moment_is_the_same_in_every_zone", NEAREST, AT, CLOCK, WITHIN},
    ),
    Mutant(fault="totals count what is shown", search=around(_totals_of_shown), trips={NEAREST}),
    Mutant(
        fault="what was saved at the moment is after it",
        search=around(_after_its_moment),
        trips={"a_moment_is_the_same_in_every_zone", AT},
    ),
    Mutant(
        fault="an observation is before itself",
        search=around(_before_itself),
        trips={BETWEEN, CLOCK, WITHIN, PURGED},
    ),
    Mutant(fault="what is around is in order of the clock", search=around(_by_clock), trips={CLOCK}),
    Mutant(
        fault="what is around is of any session",
        search=around(_of_all_sessions),
        trips={"long_keys_are_told_apart", WITHIN},
    ),
    Mutant(fault="an anchor is of the session asked for", search=around(_only_of_its_session), trips={WITHIN}),
    Mutant(fault="purged ones are around", search=around(_with_purged), trips={PURGED}),
    Mutant(
        fault="nothing is around what is not there",
        search=around(_nothing),
        trips={"around_nothing_is_an_error", PURGED, HISTORY},
    ),
)
