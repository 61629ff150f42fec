"""Faults in ranking."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import ByText, Filters, Hit, RecallQuery
from lamella.domain.search import indexing
from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.memory import search
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed, finding_with
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


@MUTANTS.add("statistics are those of all projects", trips={"statistics_are_those_of_one_project"})
class OneIndexForAll(InMemorySearch):
    """Statistics of every project's rows."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        registry = self.observations.storage
        assert isinstance(registry, InMemoryRegistry)
        rows = sum(len(shelf.rows) for shelf in registry.shelves.values())
        with changed(tokens, idf=lambda hits, _: _IDF(hits, rows)):
            return super().find(query)


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


@MUTANTS.add("only rows with rare words are found", trips={RARE})
class FindsTwice(InMemorySearch):
    """Looks for the words of the query in only as many rows as hold a rare one."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        share = len(candidates) * 0.03
        rare = [word for word in words if 0 < self._holders(word, candidates) <= share]
        return super()._ranked(rare or words, candidates, filters)

    def _holders(self, word: Word, candidates: Sequence[Observation]) -> int:
        return len(super()._ranked([word], candidates, Filters()))


def _by_score(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    return sorted(hits, key=lambda hit: -(hit.score or 0)) if isinstance(query.selector, ByText) else list(hits)


def _oldest_first(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    if not isinstance(query.selector, ByText):
        return list(hits)
    return sorted(hits, key=lambda hit: (hit.observation.purged, -(hit.score or 0), hit.observation.sequence))


def _negative(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    del query
    return [evolve(hit, score=hit.score and -hit.score) for hit in hits]


def _unscored_purged(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    del query
    return [evolve(hit, score=None) if hit.observation.purged else hit for hit in hits]


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
        trips={"more_of_the_words_rank_higher"},
    ),
    Mutant(
        fault="a title weighs one",
        search=_weighing(1.0, 1.0, 0.5, 0.3),
        trips={"a_title_weighs_more_than_content"},
    ),
    Mutant(
        fault="every word is as rare",
        search=finding_with(tokens, idf=lambda *_: 1.0),
        trips={"a_rarer_word_wins"},
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
        fault="captured ones come last",
        search=finding_with(search, kind_weight=lambda kind: 1.0 if kind == Kind.NOTE else 1e-9),
        trips={"a_captured_one_that_matches_better_comes_first"},
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
    Mutant(fault="k1 is another", search=finding_with(bm25, K1=1.5), trips={SMALL, RARE, LARGE}),
    Mutant(
        fault="scores are negative",
        search=answering(_negative),
        trips={"scores_are_positive_and_fall", "an_erase_takes_text_out_of_the_context", SMALL},
    ),
    Mutant(
        fault="ties put the oldest first",
        search=answering(_oldest_first),
        trips={"long_words_are_told_apart", "equal_scores_put_the_later_saved_first", RARE},
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
    Mutant(
        fault="purged hits have no score",
        search=answering(_unscored_purged),
        trips={"purged_hits_are_ranked_among_themselves"},
    ),
)
