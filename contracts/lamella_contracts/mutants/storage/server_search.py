"""Faults that come with search on a database server: zones, counters, candidates and stale contexts."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella.ports.storage.observations import StatusChange
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed, finding_with

MUTANTS = Mutants()

_BM25, _TOKENS, _IDF = bm25.bm25, bm25.tokens, tokens.idf


def _by_sequence(each: Observation) -> tuple[int, int]:
    return each.sequence, 0


@MUTANTS.add("the newest 500 are ranked", trips={"the_oldest_of_many_are_ranked"})
class RanksTheNewest(InMemorySearch):
    """Ranks the newest 500 rows, with the statistics of all."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        newest = {each.id for each in candidates[:500]}
        return [hit for hit in super()._ranked(words, candidates, filters) if hit.observation.id in newest]


class CountsErased(InMemoryRegistry):
    """Has a counter of rows for each project, which an erase forgets."""

    def __init__(self) -> None:
        super().__init__()
        self.erased: dict[str, int] = {}


class ErasesWithoutCounting(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = super().erase(ids, by=by)
        registry = self.storage
        assert isinstance(registry, CountsErased)
        registry.erased[self.project] = registry.erased.get(self.project, 0) + done.count(StatusChange.DONE)
        return done


class StatisticsOfErased(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        registry = self.observations.storage
        assert isinstance(registry, CountsErased)
        more = registry.erased.get(self.observations.project, 0)
        with changed(tokens, idf=lambda hits, rows: _IDF(hits, rows + more)):
            return super().find(query)


def _indexed_short(text: str) -> list[str]:
    return [token[:2_000] for token in _TOKENS(text)]


def _backwards(row: Any, terms: Sequence[Any], average: float) -> float:
    return _BM25(row, terms[::-1], average)


"""Faults that show in captures that come late."""

MUTANTS += (
    Mutant(
        fault="erased ones are counted",
        observations=ErasesWithoutCounting,
        search=StatisticsOfErased,
        registry=CountsErased,
        trips={"statistics_forget_what_is_erased"},
    ),
    Mutant(
        fault="long words are cut",
        search=finding_with(bm25, tokens=_indexed_short, form_tokens=lambda form: tuple(_indexed_short(form))),
        trips={"long_words_are_told_apart"},
    ),
    Mutant(
        fault="terms are added up backwards",
        search=finding_with(bm25, bm25=_backwards),
        trips={"scores_are_exact"},
    ),
)
