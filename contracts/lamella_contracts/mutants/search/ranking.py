"""Faults in ranking, and in choosing and splitting the words of a query."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import apsw
from attrs import evolve

from lamella.domain.memories import query
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, Filters, Hit, RecallQuery
from lamella.domain.search import indexing
from lamella.domain.text.words import Word, query_words
from lamella_adapters.fts5 import bm25, near_words, plan
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants
from lamella_contracts.mutants.search.finding import answering

MUTANTS = storage_mutants()


_BM25, _TOKENS, _TERMS, _INDEXED = bm25.bm25, bm25.tokens, bm25.terms, indexing.indexed_text
_WORDS = query_words
_CONNECTION = apsw.Connection(":memory:")
_UNICODE61 = _CONNECTION.fts5_tokenizer("unicode61", [])
_NEAR_TERMS = near_words.near_terms


def indexing_with(**columns: Callable[[indexing.IndexedText, Observation], str]) -> type[InMemorySearch]:
    """Return a search class with a wrong index: each keyword names a column, and its function returns the text."""

    def indexed(observation: Observation, previous: Iterable[Observation]) -> indexing.IndexedText:
        text = _INDEXED(observation, previous)
        return evolve(text, **{name: column(text, observation) for name, column in columns.items()})

    return finding_with(indexing, indexed_text=indexed)


@MUTANTS.add("words are joined by AND")
class JoinsByAnd(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        hits = super()._ranked(words, candidates, filters)
        for word in words:
            ids = {hit.observation.id for hit in super()._ranked([word], candidates, Filters())}
            hits = [hit for hit in hits if hit.observation.id in ids]
        return hits


@MUTANTS.add("statistics include purged memories")
class StatisticsOfAll(InMemorySearch):
    """Search that includes purged rows in its statistics."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        every = self.observations.in_order()[::-1]
        hits = super()._ranked(words, every, filters)
        return [hit for hit in hits if hit.observation in candidates]


@MUTANTS.add("asking for purged memories changes the statistics")
class StatisticsWhenAskedForPurged(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        return StatisticsOfAll(self.observations).find(query) if query.include_purged else super().find(query)


def _by_score(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    return sorted(hits, key=lambda hit: -(hit.score or 0)) if isinstance(query.selector, ByText) else list(hits)


def _telling_apart(found: Any, hits: Any, rows: int) -> list[bm25.Phrase]:
    return [each for each in _TERMS(found, hits, rows) if min(map(hits, each.tokens)) < max(rows, 5)]


MUTANTS.add("titles weigh as much as content")(finding_with(bm25, COLUMN_WEIGHTS=(1.0, 1.0, 0.5, 0.3)))
MUTANTS.add("captures weigh as much as saved memories")(finding_with(search, kind_weight=lambda _: 1.0))
MUTANTS.add("the length of documents is ignored")(finding_with(bm25, B=0.0))
MUTANTS.add("large projects have no stop words of their own")(finding_with(bm25, LARGE_PROJECT=1_000_000))
MUTANTS.add("a word in every document matches nothing")(finding_with(bm25, terms=_telling_apart))
MUTANTS.add("purged hits are ranked among live ones")(answering(_by_score))


@MUTANTS.add("only the newest 500 candidates are ranked")
class RanksTheNewest(InMemorySearch):
    """Search that ranks only the newest 500 rows, but with the statistics of all rows."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        newest = {each.id for each in candidates[:500]}
        return [hit for hit in super()._ranked(words, candidates, filters) if hit.observation.id in newest]


def _backwards(row: Any, terms: Sequence[Any], average: float) -> float:
    return _BM25(row, terms[::-1], average)


def _short(text: str) -> tuple[str, ...]:
    return tuple(token[:2_000] for token in _TOKENS(text))


MUTANTS.add("long tokens are truncated")(finding_with(bm25, tokens=_short, form_tokens=_short))
MUTANTS.add("scores are summed in another order")(finding_with(bm25, bm25=_backwards))


def _splits(text: str) -> tuple[Word, ...]:
    return tuple(
        word._replace(forms=(form,))
        for word in _WORDS(text)
        for form in dict.fromkeys(" ".join(word.forms).split())
    )


def _stars(text: str) -> tuple[Word, ...]:
    if not text.endswith("*"):
        return _WORDS(text)
    return tuple(word._replace(forms=(*word.forms, f"{word.forms[0]}egory")) for word in _WORDS(text))


def _unstemmed(text: str) -> list[str]:
    made = _UNICODE61(text.encode(errors="replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return [str(token) for tokens in made for token in tokens]


MUTANTS.add("words are not stemmed")(
    finding_with(
        bm25, tokens=_unstemmed, form_tokens=lambda form: tuple(_unstemmed(form)), forms=bm25.forms.__wrapped__
    )
)
MUTANTS.add("a trailing star is a wildcard")(finding_with(query, query_words=_stars))
MUTANTS.add("parts of words are not indexed")(indexing_with(all_hidden_forms=lambda *_: ""))
MUTANTS.add("compounds are split into words")(finding_with(query, query_words=_splits))
MUTANTS.add("the heading is not indexed")(indexing_with(content=lambda text, _: text.content.partition("\n")[2]))
MUTANTS.add("keywords weigh as titles do")(indexing_with(title=lambda text, said: f"{text.title} {said.keywords}"))


MUTANTS.add("known words are expanded with near ones")(
    finding_with(
        plan,
        _held=lambda *_: False,
        near_terms=lambda token, candidates: _NEAR_TERMS(token, [each for each in candidates if each != token]),
    )
)
MUTANTS.add("synonyms are ignored")(finding_with(plan, synonyms=lambda *_: ()))
MUTANTS.add("dates are expanded with near words")(finding_with(plan, is_date_word=lambda _: False))
MUTANTS.add("compounds are not expanded")(finding_with(plan, compounds=lambda *_: ()))
