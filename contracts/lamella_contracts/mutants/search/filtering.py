"""Faults in filters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with

_RIGHT = search.passing


def filtering(passes: Callable[[Observation, Filters], bool]) -> type[InMemorySearch]:
    """Search with another rule of what passes the filters."""

    def passing(candidates: Iterable[Observation], filters: Filters) -> Iterable[Observation]:
        return [each for each in candidates if passes(each, filters)]

    return finding_with(search, passing=passing)


def passes(each: Observation, filters: Filters) -> bool:
    """Return True if the observation passes, by the correct rule."""
    return bool(list(_RIGHT([each], filters)))


class FiltersTakePartInStatistics(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        return super()._ranked(words, [each for each in candidates if passes(each, filters)], filters)


class FiltersLast(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        every = super().find(evolve(query, filters=Filters()))
        return tuple(hit for hit in every if passes(hit.observation, query.filters))


MUTANTS = (
    Mutant(
        fault="filters take part in the statistics",
        search=FiltersTakePartInStatistics,
        trips={"filters_leave_scores_alone", "ids_leave_scores_alone"},
    ),
    Mutant(
        fault="no ids are all ids",
        search=filtering(lambda each, filters: passes(each, evolve(filters, ids=filters.ids or None))),
        trips={"ids_are_the_only_ones_that_pass"},
    ),
    Mutant(
        fault="until includes its moment",
        search=filtering(lambda each, filters: each.occurred_at == filters.until or passes(each, filters)),
        trips={"filters_hold_together", "times_count_microseconds_in_every_zone"},
    ),
    Mutant(
        fault="kinds are all one",
        search=filtering(lambda each, filters: passes(each, evolve(filters, kind=None))),
        trips={"filters_hold_together", "kind_source_and_author_are_taken_exactly"},
    ),
    Mutant(
        fault="only files are found by path",
        search=finding_with(
            search, _is_about=lambda each, path: path in [".", *(held.path for held in each.changes)]
        ),
        trips={"a_path_is_a_file_or_a_folder", "paths_are_plain_and_have_their_case"},
    ),
    Mutant(
        fault="former names are passed over",
        search=filtering(lambda each, filters: passes(each, evolve(filters, former=()))),
        trips={"a_file_is_found_by_former_names"},
    ),
    Mutant(
        fault="filters come after the limit",
        search=FiltersLast,
        trips={
            "a_path_is_a_file_or_a_folder",
            "commits_are_not_what_is_recent",
            "filters_come_before_the_limit",
            "ids_leave_scores_alone",
        },
    ),
)
