"""Faults in the words of a query."""

from collections.abc import Callable

import apsw

from lamella.domain.memories import query
from lamella.domain.text.words import Word, query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants
from lamella_contracts.mutants.search.ranking import indexing_with

MUTANTS = storage_mutants()

_WORDS = query_words
_CONNECTION = apsw.Connection(":memory:")
_UNICODE61 = _CONNECTION.fts5_tokenizer("unicode61", [])


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


def _asking(asked: Callable[[str], tuple[Word, ...]]) -> type[InMemorySearch]:
    return finding_with(query, query_words=asked)


MUTANTS.add("words are not stemmed", "words_are_found_by_their_stem")(
    finding_with(
        bm25,
        tokens=_unstemmed,
        form_tokens=lambda form: tuple(_unstemmed(form)),
        forms=bm25.forms.__wrapped__,
    )
)
MUTANTS.add("a trailing star is a wildcard", "a_star_is_no_wildcard")(_asking(_stars))
MUTANTS.add(
    "parts of words are not indexed",
    "identifiers_are_found_in_every_style",
    "ranking_agrees_with_the_model",
    "scripts_without_spaces_are_searched_inside",
)(indexing_with(sub=lambda *_: ""))
MUTANTS.add("compounds are split into words", "a_compound_is_a_phrase")(_asking(_splits))
MUTANTS.add(
    "the heading is not indexed",
    "dates_beside_words_have_no_strength",
    "keywords_count_as_content",
    "who_what_and_when_are_words",
)(indexing_with(content=lambda text, _: text.content.partition("\n")[2]))
MUTANTS.add("keywords weigh as titles do", "keywords_count_as_content")(
    indexing_with(title=lambda text, said: f"{text.title} {said.keywords}")
)
