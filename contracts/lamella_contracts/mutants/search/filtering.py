"""Faults in filters."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit
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


def about(rule: Callable[[str, str], bool]) -> type[InMemorySearch]:
    """Search with another rule of which path lies in which."""

    def is_about(observation: Observation, path: str) -> bool:
        return any(path == "." or rule(change.path, path) for change in observation.changes)

    return finding_with(search, _is_about=is_about)


class FiltersTakePartInStatistics(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        return super()._ranked(words, [each for each in candidates if passes(each, filters)], filters)


MUTANTS = (
    Mutant(
        fault="since leaves its moment out",
        search=filtering(
            lambda each, filters: (
                passes(each, filters) and (filters.since is None or each.occurred_at > filters.since)
            )
        ),
        trips={
            "since_counts_microseconds",
            "since_is_the_same_in_every_zone",
            "since_includes_its_moment",
            "since_goes_by_the_moment",
            "filters_hold_together",
        },
    ),
    Mutant(
        fault="only files are found by path",
        search=about(lambda held, asked: held == asked),
        trips={
            "a_path_is_a_file_or_a_folder",
            "a_sibling_is_not_in_the_folder",
            "paths_are_plain_and_have_their_case",
            "several_paths_make_one_hit",
        },
    ),
    Mutant(
        fault="a dot is a folder of that name",
        search=finding_with(
            search,
            _is_about=lambda each, path: any(f"{held.path}/".startswith(f"{path}/") for held in each.changes),
        ),
        trips={"a_dot_is_every_path"},
    ),
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
        fault="purged ones get past the filters",
        search=filtering(lambda each, filters: each.purged or passes(each, filters)),
        trips={
            "filters_apply_to_purged_ones",
            "what_was_replaced_is_found_by_its_replacement",
        },
    ),
    Mutant(
        fault="until includes its moment",
        search=filtering(lambda each, filters: each.occurred_at == filters.until or passes(each, filters)),
        trips={"until_leaves_its_moment_out"},
    ),
    Mutant(
        fault="kinds are all one",
        search=filtering(lambda each, filters: passes(each, evolve(filters, kind=None))),
        trips={"kind_source_and_author_are_taken_exactly"},
    ),
    Mutant(
        fault="live ones pass for purged ones",
        search=filtering(lambda each, filters: passes(each, evolve(filters, only_purged=False))),
        trips={"only_purged_ones_can_be_asked_for"},
    ),
)
