"""Faults in reasons, strengths and spans."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from lamella.domain.memories.query import Span
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.bm25 import MatchDetails
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants

MUTANTS = storage_mutants()

_INFORMATION = bm25.information
_EXPLAIN: Callable[..., MatchDetails] = bm25.explain


def explaining(change: Callable[..., MatchDetails]) -> type[InMemorySearch]:
    """Search with other reasons: `change` is given the right one and the arguments."""

    def explain(*asked: Any, **more: Any) -> MatchDetails:
        return change(_EXPLAIN(*asked, **more), *asked)

    return finding_with(bm25, explain=explain)


def spanning(change: Callable[..., Sequence[Span]]) -> type[InMemorySearch]:
    """Search with other spans: `change` is given the right ones and the content."""
    return explaining(lambda why, *asked: evolve(why, spans=tuple(change(why.spans, asked[-2]))))


def _shifted(spans: Sequence[Span], by: int) -> list[Span]:
    return [Span(span.start + by, span.end + by, span.word) for span in spans]


def _of_known(words: Sequence[Any], hits: Any, rows: int) -> Sequence[float]:
    known = [bool(bm25.most_holders(bm25.forms(word), hits)) for word in words]
    return [each * has for each, has in zip(_INFORMATION(words, hits, rows), known, strict=True)]


MUTANTS.add(
    "spans are offset by the heading",
    "a_near_word_has_less_strength",
    "parts_of_longer_words_are_marked",
    "spans_point_at_the_words_in_the_content",
)(spanning(lambda spans, _: _shifted(spans, 11)))
MUTANTS.add("words held are not told", "strength_says_how_much_a_hit_holds")(
    explaining(lambda why, *_: evolve(why, held={}))
)
MUTANTS.add(
    "unknown words carry no information",
    "an_unknown_word_tells_as_much_as_a_rare_one",
    "strength_means_the_same_in_every_project",
)(finding_with(bm25, information=_of_known))
