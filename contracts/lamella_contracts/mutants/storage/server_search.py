"""Faults that come with search on a database server: zones, counters, candidates and stale contexts."""

from collections.abc import Sequence
from typing import Any

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, finding_with

MUTANTS = Mutants()

_BM25, _TOKENS = bm25.bm25, bm25.tokens


@MUTANTS.add("the newest 500 are ranked", trips={"the_oldest_of_many_are_ranked"})
class RanksTheNewest(InMemorySearch):
    """Ranks the newest 500 rows, with the statistics of all."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        newest = {each.id for each in candidates[:500]}
        return [hit for hit in super()._ranked(words, candidates, filters) if hit.observation.id in newest]


def _backwards(row: Any, terms: Sequence[Any], average: float) -> float:
    return _BM25(row, terms[::-1], average)


def _short(text: str) -> tuple[str, ...]:
    return tuple(token[:2_000] for token in _TOKENS(text))


MUTANTS += (
    Mutant(
        fault="long words are cut",
        search=finding_with(bm25, tokens=_short, form_tokens=_short),
        trips={
            "a_compound_stands_in_for_its_first_part",
            "a_near_word_has_less_strength",
            "a_near_word_stands_in_for_an_unknown_one",
            "long_words_are_told_apart",
        },
    ),
    Mutant(
        fault="terms are added up backwards",
        search=finding_with(bm25, bm25=_backwards),
        trips={"scores_are_exact"},
    ),
)
