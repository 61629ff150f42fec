"""Faults in filters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants

MUTANTS = storage_mutants()

_RIGHT = search.passing


def filtering(passes: Callable[[Observation, Filters], bool]) -> type[InMemorySearch]:
    """Search with another rule for the filters."""

    def passing(candidates: Iterable[Observation], filters: Filters) -> Iterable[Observation]:
        return [each for each in candidates if passes(each, filters)]

    return finding_with(search, passing=passing)


def passes(each: Observation, filters: Filters) -> bool:
    """Return True if the observation passes, by the correct rule."""
    return bool(list(_RIGHT([each], filters)))


@MUTANTS.add("filters change the statistics", "filters_leave_scores_alone", "ids_leave_scores_alone")
class FiltersTakePartInStatistics(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        return super()._ranked(words, [each for each in candidates if passes(each, filters)], filters)


@MUTANTS.add("filters are applied after the limit", "filters_come_before_the_limit")
class FiltersLast(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        every = super().find(evolve(query, filters=Filters()))
        return tuple(hit for hit in every if passes(hit.observation, query.filters))


MUTANTS.add("an empty set of ids filters nothing", "ids_are_the_only_ones_that_pass")(
    filtering(lambda each, filters: passes(each, evolve(filters, ids=filters.ids or None)))
)
MUTANTS.add("until is inclusive", "filters_hold_together", "times_count_microseconds_in_every_zone")(
    filtering(lambda each, filters: each.occurred_at == filters.until or passes(each, filters))
)
MUTANTS.add("the kind is ignored", "kind_source_author_and_branch_are_taken_exactly")(
    filtering(lambda each, filters: passes(each, evolve(filters, kind=None)))
)
MUTANTS.add("the branch is ignored", "kind_source_author_and_branch_are_taken_exactly")(
    filtering(lambda each, filters: passes(each, evolve(filters, branch=None)))
)
MUTANTS.add("one entry of metadata is enough", "metadata_has_every_entry_that_is_asked_for")(
    filtering(
        lambda each, filters: (
            passes(each, evolve(filters, metadata={}))
            and (not filters.metadata or bool(filters.metadata.items() & each.metadata.items()))
        )
    )
)
MUTANTS.add("a path matches files only", "a_path_is_a_file_or_a_folder", "paths_are_plain_and_have_their_case")(
    finding_with(search, _is_about=lambda each, path: path in [".", *(held.path for held in each.changes)])
)
MUTANTS.add("former names are ignored", "a_file_is_found_by_former_names")(
    filtering(lambda each, filters: passes(each, evolve(filters, former=())))
)
