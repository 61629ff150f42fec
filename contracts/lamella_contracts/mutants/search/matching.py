"""Faults in reasons, strengths and spans."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.query import Span
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.bm25 import MatchDetails
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, finding_with

_EXPLAIN: Callable[..., MatchDetails] = bm25.explain
_INFORMATION = bm25.information

STRENGTH = "strength_says_how_much_a_hit_holds"
SPANS = {
    "spans_point_at_the_words_in_the_content",
    "spans_are_in_order",
    "parts_of_longer_words_are_marked",
    "a_near_word_is_marked",
}


def explaining(change: Callable[..., MatchDetails]) -> type[InMemorySearch]:
    """Search with other reasons: `change` is given the right one and the arguments."""

    def explain(*asked: Any) -> MatchDetails:
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


def _title_spans(why: MatchDetails, *asked: Any) -> MatchDetails:
    return evolve(why, spans=why.spans or _EXPLAIN(*asked[:-2], asked[-1][0], ()).spans)


def _only_content(why: MatchDetails, *asked: Any) -> MatchDetails:
    return evolve(why, strength=_EXPLAIN(*asked[:-1], ()).strength)


MUTANTS = (
    Mutant(
        fault="words that nothing has tell nothing",
        search=telling(
            lambda right, words, hits, _: [
                each if bm25.most_holders(bm25.forms(word), hits) else 0.0
                for word, each in zip(words, right, strict=True)
            ]
        ),
        trips={
            "a_near_word_has_less_strength",
            "an_unknown_word_tells_as_much_as_a_rare_one",
            "strength_means_the_same_in_every_project",
        },
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
        fault="spans count the heading",
        search=spanning(lambda spans, _: _shifted(spans, 11)),
        trips=SPANS,
    ),
    Mutant(
        fault="words of the title have spans",
        search=explaining(_title_spans),
        trips={"a_title_match_has_no_spans"},
    ),
)
