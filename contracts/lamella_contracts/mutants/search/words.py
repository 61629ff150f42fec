"""Faults in the words of a query."""

from collections.abc import Callable

import apsw

from lamella.domain.memories import query
from lamella.domain.text.words import Word, query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with
from lamella_contracts.mutants.search.ranking import indexing_with

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


MUTANTS = (
    Mutant(
        fault="there are no stems",
        search=finding_with(
            bm25, tokens_by=lambda _, text: _unstemmed(text), form_tokens=lambda form: tuple(_unstemmed(form))
        ),
        trips={
            "a_compound_stands_in_for_its_first_part",
            "a_near_word_stands_in_for_an_unknown_one",
            "a_purge_takes_text_out_of_the_context",
            "a_restore_puts_text_back_into_the_context",
            "a_tenant_of_any_name_is_one",
            "a_word_raises_its_followers",
            "context_is_of_one_session",
            "words_are_found_by_their_stem",
        },
    ),
    Mutant(fault="a star is obeyed", search=_asking(_stars), trips={"a_star_is_no_wildcard"}),
    Mutant(
        fault="there is no sub column",
        search=indexing_with(sub=lambda *_: ""),
        trips={
            "identifiers_are_found_in_every_style",
            "parts_of_longer_words_are_marked",
            "ranking_agrees_with_the_model",
            "scripts_without_spaces_are_searched_inside",
        },
    ),
    Mutant(
        fault="compounds are split",
        search=_asking(_splits),
        trips={
            "a_compound_is_a_phrase",
            "identifiers_are_found_in_every_style",
            "nothing_stands_in_for_dates_and_short_words",
            "the_words_that_tell_most_are_looked_for",
        },
    ),
    Mutant(
        fault="the heading is not indexed",
        search=indexing_with(content=lambda text, _: text.content.partition("\n")[2]),
        trips={"dates_beside_words_have_no_strength", "who_what_and_when_are_words"},
    ),
)
