"""Faults in ranking."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, Filters, Hit, RecallQuery
from lamella.domain.search import indexing
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.memory import search
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, finding_with
from lamella_contracts.mutants.search.finding import answering

MUTANTS = Mutants()

SMALL = "ranking_agrees_with_the_model"
RARE = "ranking_agrees_where_words_are_rare"
LARGE = "ranking_agrees_in_a_large_project"

_BM25, _IDF, _TERMS, _INDEXED = bm25.bm25, tokens.idf, bm25.terms, indexing.indexed_text


def indexing_with(**columns: Callable[[indexing.IndexedText, Observation], str]) -> type[InMemorySearch]:
    """Search in an index with other columns."""

    def indexed(observation: Observation, previous: Iterable[Observation]) -> indexing.IndexedText:
        text = _INDEXED(observation, previous)
        return evolve(text, **{name: column(text, observation) for name, column in columns.items()})

    return finding_with(indexing, indexed_text=indexed)


@MUTANTS.add(
    "words are joined by and",
    trips={
        "a_captured_one_that_matches_better_comes_first",
        "any_word_is_enough",
        "strength_says_how_much_a_hit_holds",
        "a_purge_moves_earlier_ones_up",
        "a_rarer_word_wins",
        "operators_are_words",
        "scores_are_positive_and_fall",
        "a_split_gives_back_what_came",
        "ids_leave_scores_alone",
    },
)
class JoinsByAnd(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        hits = super()._ranked(words, candidates, filters)
        for word in words:
            ids = {hit.observation.id for hit in super()._ranked([word], candidates, Filters())}
            hits = [hit for hit in hits if hit.observation.id in ids]
        return hits


class StatisticsOfAll(InMemorySearch):
    """Statistics of purged rows too."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        every = self.observations.in_order()[::-1]
        hits = super()._ranked(words, every, filters)
        return [hit for hit in hits if hit.observation in candidates]


@MUTANTS.add(
    "statistics are those of all rows when purged ones are asked for",
    trips={"asking_for_purged_ones_leaves_live_scores_alone", "purged_hits_are_ranked_among_themselves"},
)
class StatisticsWhenAskedForPurged(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        if not query.include_purged:
            return super().find(query)
        return StatisticsOfAll(self.observations).find(query)


@MUTANTS.add(
    "text is searched in all projects",
    # The others save the same words in two projects, to compare them.
    trips={
        "a_split_makes_contexts_anew",
        "an_erase_leaves_nothing_in_another_project",
        "search_stays_in_its_project",
        "a_merge_moves_purged_ones_too",
        "a_split_gives_back_what_came",
        "a_split_keeps_the_present_state",
        "open_scopes_follow_a_merge",
        "purged_hits_are_ranked_among_themselves",
        "statistics_are_those_of_one_project",
        SMALL,
    },
)
class SearchesEveryProject(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        registry = self.observations.storage
        assert isinstance(registry, InMemoryRegistry)
        if not isinstance(query.selector, ByText):
            return super().find(query)
        others = [
            project
            for project, shelf in registry.shelves.items()
            if shelf is not registry.home(self.observations.project)[1]
        ]
        found = [InMemorySearch(InMemoryObservations(project, registry)).find(query) for project in others]
        return (super().find(query) + tuple(hit for hits in found for hit in hits))[: query.limit]


def _by_score(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    return sorted(hits, key=lambda hit: -(hit.score or 0)) if isinstance(query.selector, ByText) else list(hits)


def _telling_apart(found: Any, hits: Any, rows: int) -> list[bm25.Phrase]:
    return [each for each in _TERMS(found, hits, rows) if min(map(hits, each.tokens)) < max(rows, 5)]


def _weighing(*weights: float) -> type[InMemorySearch]:
    return finding_with(bm25, COLUMN_WEIGHTS=weights)


MUTANTS += (
    Mutant(
        fault="the best word counts",
        search=finding_with(
            bm25, bm25=lambda row, terms, average: max(_BM25(row, [one], average) for one in terms)
        ),
        trips={"more_of_the_words_rank_higher", "what_is_taken_over_is_found"},
    ),
    Mutant(
        fault="a title weighs one",
        search=_weighing(1.0, 1.0, 0.5, 0.3),
        trips={"a_title_weighs_more_than_content"},
    ),
    Mutant(
        fault="captured ones weigh as much as saved ones",
        search=finding_with(search, kind_weight=lambda _: 1.0),
        trips={"a_saved_one_comes_before_captured_ones"},
    ),
    Mutant(
        fault="prompts weigh as much as lines",
        search=finding_with(indexing, reason_length=lambda *_: 0),
        trips={"an_edit_is_found_by_its_lines_before_its_prompt"},
    ),
    Mutant(
        fault="length makes no difference",
        search=finding_with(bm25, B=0.0),
        trips={"a_shorter_text_wins"},
    ),
    Mutant(
        fault="a large project has no stop words",
        search=finding_with(bm25, LARGE_PROJECT=1_000_000),
        trips={"a_large_project_has_stop_words_of_its_own", LARGE},
    ),
    Mutant(
        fault="a word that all have finds nothing",
        search=finding_with(bm25, terms=_telling_apart),
        trips={
            "a_word_that_most_contain_still_finds",
            "a_file_is_found_by_former_names",
            "a_limit_keeps_the_best",
            "a_session_is_taken_exactly",
            "a_sibling_is_not_in_the_folder",
            "equal_scores_put_the_later_saved_first",
            "filters_come_before_the_limit",
            "paths_are_plain_and_have_their_case",
            "scores_are_positive_and_fall",
        },
    ),
    Mutant(
        fault="statistics are those of all rows",
        search=StatisticsOfAll,
        trips={"statistics_are_those_of_live_ones", "purged_hits_are_ranked_among_themselves"},
    ),
    Mutant(
        fault="purged hits stand where their score says",
        search=answering(_by_score),
        trips={"purged_hits_follow_all_live_ones", RARE},
    ),
)
