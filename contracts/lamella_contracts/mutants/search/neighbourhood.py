"""Faults in neighbourhoods."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.query import Hit, Match
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, changed
from lamella_contracts.mutants.search.finding import MANY


def neighbouring(change: Callable[..., Sequence[Hit]]) -> type[InMemorySearch]:
    """Search with another neighbourhood: `change` is given the right one as a function, and the arguments."""

    class Neighbouring(InMemorySearch):
        def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> Any:
            return change(self, super().neighbourhood, id, each_side, include_purged)

    return Neighbouring


def _of_the_project(self: InMemorySearch, right: Any, id: UUID, side: int, purged: bool) -> Any:
    with changed(search, ObservationNotFoundError=ObservationNotFoundError):
        row = self.observations.rows.get(id)
        if row is None:
            return right(id, each_side=side, include_purged=purged)
        kept, row.observation = row.observation, evolve(row.observation, session=None)
        found = right(id, each_side=side, include_purged=purged)
        row.observation = kept
        return [evolve(hit, observation=kept) if hit.observation.id == id else hit for hit in found]


def _of_the_sessionless(_: InMemorySearch, right: Any, id: UUID, side: int, purged: bool) -> Any:
    (centre,) = right(id, each_side=0)
    found = right(id, each_side=MANY, include_purged=purged)
    found = [hit for hit in found if hit.observation.session == centre.observation.session]
    at = found.index(centre)
    return found[max(0, at - side) : at + side + 1]


def _shifted(_: InMemorySearch, right: Any, id: UUID, side: int, purged: bool) -> Any:
    (centre,) = right(id, each_side=0)
    found = right(id, each_side=MANY, include_purged=purged)
    first = max(0, min(found.index(centre) - side, len(found) - 2 * side - 1))
    return found[first : first + 2 * side + 1]


def _by_clock(_: InMemorySearch, right: Any, id: UUID, side: int, purged: bool) -> Any:
    (centre,) = right(id, each_side=0)
    found = sorted(right(id, each_side=MANY, include_purged=purged), key=lambda hit: hit.observation.created_at)
    at = found.index(centre)
    return found[max(0, at - side) : at + side + 1]


def _alike(match: Match) -> Callable[..., Any]:
    def change(_: InMemorySearch, right: Any, id: UUID, side: int, purged: bool) -> Any:
        return [evolve(hit, match=match) for hit in right(id, each_side=side, include_purged=purged)]

    return change


MUTANTS = (
    Mutant(
        fault="a centre is its own neighbour",
        search=neighbouring(_alike(Match.NEIGHBOUR)),
        trips={"neighbours_are_told_from_their_centre"},
    ),
    Mutant(
        fault="a neighbourhood is of the project",
        search=neighbouring(_of_the_project),
        trips={"a_neighbourhood_is_of_the_session"},
    ),
    Mutant(
        fault="those without a session are one",
        search=neighbouring(_of_the_sessionless),
        trips={"without_a_session_it_is_of_the_project"},
    ),
    Mutant(
        fault="a neighbourhood is shifted at the ends",
        search=neighbouring(_shifted),
        trips={"a_neighbourhood_ends_where_the_session_ends"},
    ),
    Mutant(
        fault="a neighbourhood shows purged ones",
        search=neighbouring(lambda _, right, centre, side, __: right(centre, each_side=side, include_purged=True)),
        trips={"purged_neighbours_are_left_out"},
    ),
    Mutant(
        fault="a neighbourhood never shows purged ones",
        search=neighbouring(lambda _, right, centre, side, __: right(centre, each_side=side)),
        trips={"purged_neighbours_are_shown_when_asked_for"},
    ),
    Mutant(
        fault="neighbours are in order of the clock",
        search=neighbouring(_by_clock),
        trips={"neighbours_are_ordered_by_moment_and_sequence"},
    ),
)
