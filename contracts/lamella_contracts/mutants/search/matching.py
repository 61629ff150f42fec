"""Faults in reasons, strengths and spans."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.query import Span
from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.bm25 import Explained
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with

_EXPLAIN: Callable[..., Explained] = bm25.explain
_INFORMATION = bm25.information

STRENGTH = "strength_says_how_much_a_hit_holds"
SPANS = {
    "spans_point_at_the_words_in_the_content",
    "spans_are_in_order",
    "parts_of_longer_words_are_marked",
    "a_near_word_is_marked",
}


def explaining(change: Callable[..., Explained]) -> type[InMemorySearch]:
    """Search with other reasons: `change` is given the right one and the arguments."""

    def explain(*asked: Any) -> Explained:
        return change(_EXPLAIN(*asked), *asked)

    return finding_with(bm25, explain=explain)


def telling(change: Callable[..., Sequence[float]]) -> type[InMemorySearch]:
    """Search for words of other information: `change` is given the right one and the arguments."""

    def information(*asked: Any) -> Sequence[float]:
        return change(_INFORMATION(*asked), *asked)

    return finding_with(bm25, information=information)


def spanning(change: Callable[..., Sequence[Span]]) -> type[InMemorySearch]:
    """Search with other spans: `change` is given the right ones and the content."""
    return explaining(lambda why, *asked: evolve(why, spans=tuple(change(why.spans, asked[-2]))))


def _shifted(spans: Sequence[Span], by: int) -> list[Span]:
    return [Span(span.start + by, span.end + by, span.word) for span in spans]


def _bytes(spans: Sequence[Span], content: str) -> list[Span]:
    return [Span(len(content[: s.start].encode()), len(content[: s.end].encode()), s.word) for s in spans]


def _title_spans(why: Explained, *asked: Any) -> Explained:
    return evolve(why, spans=why.spans or _EXPLAIN(*asked[:-2], asked[-1][0], ()).spans)


def _only_content(why: Explained, *asked: Any) -> Explained:
    return evolve(why, strength=_EXPLAIN(*asked[:-1], ()).strength)


def _near_as_forms(_why: Explained, words: Sequence[Word], *asked: Any) -> Explained:
    return _EXPLAIN([word._replace(forms=(*word.forms, *word.near), near=()) for word in words], *asked)


MUTANTS = (
    Mutant(
        fault="words tell alike",
        search=telling(lambda right, *_: [float(each > 0) for each in right]),
        trips={STRENGTH},
    ),
    Mutant(
        fault="words that nothing has tell nothing",
        search=telling(
            lambda right, words, hits, _: [
                each if bm25.most_holders(word, hits) else 0.0 for word, each in zip(words, right, strict=True)
            ]
        ),
        trips={
            "a_near_word_has_less_strength",
            "an_unknown_word_tells_as_much_as_a_rare_one",
            "strength_means_the_same_in_every_project",
        },
    ),
    Mutant(
        fault="dates tell as much as words",
        search=telling(
            lambda _, words, hits, rows: [
                bm25.rarity(word.forms[0], lambda token: max(1, hits(token)), rows) for word in words
            ]
        ),
        trips={"dates_beside_words_have_no_strength"},
    ),
    Mutant(
        fault="signs tell something",
        search=telling(lambda right, *_: [each or 1.0 for each in right]),
        trips={"what_has_no_word_tells_nothing", "dates_beside_words_have_no_strength"},
    ),
    Mutant(
        fault="only the content gives strength",
        search=explaining(_only_content),
        trips={STRENGTH, "every_own_column_gives_strength"},
    ),
    Mutant(
        fault="every hit has full strength",
        search=explaining(lambda why, *_: evolve(why, strength=1.0)),
        trips={
            STRENGTH,
            "a_near_word_has_less_strength",
            "context_alone_finds_nothing",
            "dates_beside_words_have_no_strength",
            "strength_means_the_same_in_every_project",
        },
    ),
    Mutant(
        fault="near words count whole",
        search=explaining(_near_as_forms),
        trips={"a_near_word_has_less_strength"},
    ),
    Mutant(
        fault="spans are in bytes",
        search=spanning(_bytes),
        trips={"spans_point_at_the_words_in_the_content", "parts_of_longer_words_are_marked"},
    ),
    Mutant(
        fault="spans count the heading",
        search=spanning(lambda spans, _: _shifted(spans, 11)),
        trips=SPANS,
    ),
    Mutant(
        fault="spans come word by word",
        search=spanning(lambda spans, _: sorted(spans, key=lambda span: span.word)),
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
