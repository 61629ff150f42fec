"""Faults that come with search on a database server: zones, counters, candidates and stale contexts."""

from collections.abc import Sequence
from typing import Any

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants

MUTANTS = storage_mutants()


_BM25, _TOKENS = bm25.bm25, bm25.tokens


@MUTANTS.add("only the newest 500 candidates are ranked", "the_oldest_of_many_are_ranked")
class RanksTheNewest(InMemorySearch):
    """Ranks the newest 500 rows, with the statistics of all."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        newest = {each.id for each in candidates[:500]}
        return [hit for hit in super()._ranked(words, candidates, filters) if hit.observation.id in newest]


def _backwards(row: Any, terms: Sequence[Any], average: float) -> float:
    return _BM25(row, terms[::-1], average)


def _short(text: str) -> tuple[str, ...]:
    return tuple(token[:2_000] for token in _TOKENS(text))


MUTANTS.add("long tokens are truncated", "a_near_word_stands_in_for_an_unknown_one")(
    finding_with(bm25, tokens=_short, form_tokens=_short)
)
MUTANTS.add("scores are summed in another order", "scores_are_exact")(finding_with(bm25, bm25=_backwards))
