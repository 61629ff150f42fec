"""Faults in the words of a query."""

import re
from collections.abc import Callable

import apsw

from lamella.domain.memories import query
from lamella.domain.text import words
from lamella.domain.text.words import Word, query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with
from lamella_contracts.mutants.search.ranking import SMALL, indexing_with

_WORDS = query_words
_SPOKEN_DATE = re.compile(r" \d+ [A-Z][a-z]+ \d{4}(?=\n)")
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


def _whatever_there_is(text: str) -> tuple[Word, ...]:
    return _WORDS(text) or tuple(Word((word,)) for word in text.split())


def _asking(asked: Callable[[str], tuple[Word, ...]]) -> type[InMemorySearch]:
    return finding_with(query, query_words=asked)


IDENTIFIERS = {"identifiers_are_found_in_every_style", "languages_with_signs_are_told_apart"}
UNSPACED = {"scripts_without_spaces_are_searched_inside", "parts_of_longer_words_are_marked"}

MUTANTS = (
    Mutant(
        fault="there are no stems",
        search=finding_with(
            bm25, tokens_by=lambda _, text: _unstemmed(text), form_tokens=lambda form: tuple(_unstemmed(form))
        ),
        trips={"words_are_found_by_their_stem", "a_near_word_stands_in_for_an_unknown_one"},
    ),
    Mutant(
        fault="stop words are looked for",
        search=finding_with(words, STOP_WORDS=frozenset()),
        trips={"stop_words_are_dropped", "strength_says_how_much_a_hit_holds"},
    ),
    Mutant(
        fault="stop words are looked for where there is nothing else",
        search=_asking(_whatever_there_is),
        trips={"stop_words_alone_find_nothing"},
    ),
    Mutant(fault="a star is obeyed", search=_asking(_stars), trips={"a_star_is_no_wildcard"}),
    Mutant(
        fault="there is no sub column",
        search=indexing_with(sub=lambda *_: ""),
        trips={*IDENTIFIERS, *UNSPACED, "emoji_are_found_by_sign_and_name", SMALL},
    ),
    Mutant(
        fault="compounds are split",
        search=_asking(_splits),
        trips={"a_compound_is_a_phrase"},
    ),
    Mutant(
        fault="the heading is not indexed",
        search=indexing_with(content=lambda text, _: text.content.partition("\n")[2]),
        trips={"who_what_and_when_are_words"},
    ),
    Mutant(
        fault="other languages have no stems",
        search=finding_with(words, new_stems=lambda *_: ()),
        trips={"other_languages_have_stems"},
    ),
    Mutant(
        fault="dates are in figures",
        search=indexing_with(content=lambda text, _: _SPOKEN_DATE.sub("", text.content, count=1)),
        trips={"months_and_years_find_what_was_saved_then", "dates_count_double"},
    ),
)
