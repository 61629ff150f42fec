"""Faults in the words of a query, and in reasons and spans."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import apsw

from lamella.domain.memories.query import Match, Span
from lamella.domain.text import words
from lamella.domain.text.words import Word, query_words
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with
from lamella_contracts.mutants.search.ranking import SMALL, indexing_with

_WORDS, _EXPLAIN = query_words, bm25.explain
_CONNECTION = apsw.Connection(":memory:")
_UNICODE61 = _CONNECTION.fts5_tokenizer("unicode61", [])


def explaining(change: Callable[..., tuple[Match, Sequence[Span]]]) -> type[InMemorySearch]:
    """Search with other reasons: `change` is given the right answer and the arguments."""

    def explain(*asked: Any) -> tuple[Match, Sequence[Span]]:
        return change(*_EXPLAIN(*asked), *asked)

    return finding_with(bm25, explain=explain)


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


def _obeys_not(text: str) -> tuple[Word, ...]:
    return _WORDS(text.replace(" -", " NOT ").partition(" NOT ")[0])


def _only_words(text: str) -> tuple[Word, ...]:
    return tuple(word._replace(forms=word.forms[:1]) for word in _WORDS(text))


def _lettered(text: str) -> tuple[Word, ...]:
    letters = {"cpp": ("cpp", "c"), "csharp": ("csharp", "c")}
    return tuple(word._replace(forms=letters.get(word.forms[0], word.forms)) for word in _WORDS(text))


def _shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple(Span(span.start + by, span.end + by, span.word) for span in spans)


def _title_spans(
    match: Match, spans: Sequence[Span], words: Any, _content: str, others: Sequence[str]
) -> tuple[Match, Any]:
    return match, spans or tuple(_EXPLAIN(words, others[0], ())[1])


def _bytes(content: str, spans: Sequence[Span]) -> list[Span]:
    return [Span(len(content[: s.start].encode()), len(content[: s.end].encode()), s.word) for s in spans]


def _unstemmed(text: str) -> list[str]:
    made = _UNICODE61(text.encode(errors="replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return [str(token) for tokens in made for token in tokens]


def _whatever_there_is(text: str) -> tuple[Word, ...]:
    return _WORDS(text) or tuple(Word((word,)) for word in text.split())


def _asking(asked: Callable[[str], tuple[Word, ...]]) -> type[InMemorySearch]:
    return finding_with(search, query_words=asked)


def _without(pattern: str) -> type[InMemorySearch]:
    """A sub column without what matches."""
    return indexing_with(sub=lambda text, _: re.sub(pattern, "", text.sub))


IDENTIFIERS = {"identifiers_are_found_in_every_style", "languages_with_signs_are_told_apart"}
UNSPACED = {"scripts_without_spaces_are_searched_inside", "parts_of_longer_words_are_marked"}

MUTANTS = (
    Mutant(
        fault="there are no stems",
        search=finding_with(bm25, tokens=_unstemmed),
        trips={"words_are_found_by_their_stem"},
    ),
    Mutant(
        fault="stop words are looked for",
        search=finding_with(words, STOP_WORDS=frozenset()),
        trips={"stop_words_are_dropped", "all_words_are_told_from_some"},
    ),
    Mutant(
        fault="stop words are looked for where there is nothing else",
        search=_asking(_whatever_there_is),
        trips={"stop_words_alone_find_nothing"},
    ),
    Mutant(fault="operators are obeyed", search=_asking(_obeys_not), trips={"operators_are_words"}),
    Mutant(fault="a star is obeyed", search=_asking(_stars), trips={"a_star_is_no_wildcard"}),
    Mutant(
        fault="there is no sub column",
        search=indexing_with(sub=lambda *_: ""),
        trips={*IDENTIFIERS, *UNSPACED, "emoji_are_found_by_sign_and_name", SMALL},
    ),
    Mutant(
        fault="a query has no forms",
        search=_asking(_only_words),
        trips={"identifiers_are_found_in_every_style"},
    ),
    Mutant(
        fault="compounds are split",
        search=_asking(_splits),
        trips={"a_compound_is_a_phrase"},
    ),
    Mutant(
        fault="a language is also its letter",
        search=_asking(_lettered),
        trips={"languages_with_signs_are_told_apart"},
    ),
    Mutant(
        fault="scripts without spaces are one word",
        search=_without("[\u0e00-\u0eff\u3000-\u9fff]"),
        trips=UNSPACED,
    ),
    Mutant(
        fault="emoji have no names",
        search=_without("rocket|bug"),
        trips={"emoji_are_found_by_sign_and_name"},
    ),
    Mutant(
        fault="the heading is not indexed",
        search=indexing_with(content=lambda text, _: text.content.partition("\n")[2]),
        trips={"who_what_and_when_are_words"},
    ),
    Mutant(
        fault="every hit says all words",
        search=explaining(lambda _, spans, *__: (Match.ALL_WORDS, spans)),
        trips={
            "all_words_are_told_from_some",
            "an_identifier_is_told",
            "what_only_the_context_holds_is_some_words",
        },
    ),
    Mutant(
        fault="identifiers are not told",
        search=explaining(
            lambda match, spans, *_: (Match.SOME_WORDS if match is Match.IDENTIFIER else match, spans)
        ),
        trips={"an_identifier_is_told"},
    ),
    Mutant(
        fault="spans are in bytes",
        search=explaining(lambda match, spans, _, content, *__: (match, _bytes(content, spans))),
        trips={"spans_point_at_the_words_in_the_content", "parts_of_longer_words_are_marked"},
    ),
    Mutant(
        fault="spans count the heading",
        search=explaining(lambda match, spans, *asked: (match, _shifted(spans, len(asked[-1][-1]) + 1))),
        trips={
            "spans_point_at_the_words_in_the_content",
            "spans_are_in_order",
            "parts_of_longer_words_are_marked",
            "what_only_the_context_holds_is_some_words",
        },
    ),
    Mutant(
        fault="spans come word by word",
        search=explaining(lambda match, spans, *_: (match, tuple(sorted(spans, key=lambda span: span.word)))),
        trips={"spans_are_in_order", "spans_point_at_the_words_in_the_content"},
    ),
    Mutant(
        fault="words of the title have spans",
        search=explaining(_title_spans),
        trips={"a_title_match_has_no_spans"},
    ),
    Mutant(
        fault="parts of words have no spans",
        search=finding_with(bm25, _literally=lambda *_: ()),
        trips={"parts_of_longer_words_are_marked"},
    ),
)
