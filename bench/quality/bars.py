"""Bars: minimum or maximum values that the figures of lamella have to keep."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from bench.quality.comparison import Figures
from bench.quality.report import Result
from bench.quality.strength import Strength
from bench.tables import Table

KEYWORDS, MINILM = (f"lamella, {name}" for name in ("keywords", "minilm"))


@frozen
class Bar:
    """Minimum percentages of an engine on all collections with names that begin with a prefix."""

    collection: str
    engine: str
    least: Mapping[str, float]


BARS = (
    Bar("LoCoMo turns", KEYWORDS, {"R@10": 75, "nDCG@10": 58.5}),
    Bar("LoCoMo turns", MINILM, {"R@10": 79, "nDCG@10": 62}),
    Bar("Chinese", KEYWORDS, {"R@3": 100}),
    Bar("Japanese", KEYWORDS, {"R@3": 100}),
    Bar("Korean", KEYWORDS, {"R@3": 90}),
    Bar("Russian", KEYWORDS, {"R@3": 90}),
    Bar("Arabic", KEYWORDS, {"R@3": 90}),
    Bar("German", KEYWORDS, {"R@3": 85}),
    Bar("facts, reworded, with keywords", KEYWORDS, {"R@3": 83, "R@10": 88}),
    Bar("three words with a typo", KEYWORDS, {"R@10": 66, "nDCG@10": 52}),
    Bar("long traces", KEYWORDS, {"R@10": 95}),
    Bar("identifiers in another case", KEYWORDS, {"R@10": 99}),
    Bar("base names", KEYWORDS, {"R@10": 98}),
    Bar("whole paths", KEYWORDS, {"R@10": 100}),
)
_SINGLE, _PLAIN = "single facts", "FTS5, OR"
_MOST_STRONG, _MOST_WEAK = 10, 8


def bars(measured: Figures, results: Sequence[Result], small: Mapping[int, Mapping[str, Strength]]) -> Table:
    """Return all bars for some measurements.

    Args:
        measured: Figures by collection and engine.
        results: Results with counts of weak matches, for the same collections and engines.
        small: Counts of weak matches in all small projects, by size and engine.
    """
    rows = [*_rankings(measured), *_singles(measured)]
    rows += _strengths("all", [each.strength for each in results if each.engine == KEYWORDS])
    for size, engines in small.items():
        rows += _strengths(f"{size} memories", [engines[KEYWORDS]])
    return Table(title="Bars", head=["what", "engine", "figure", "measured", "bar", "reached"], rows=rows)


def _rankings(measured: Figures) -> Iterator[list[str]]:
    for bar in BARS:
        for name, engines in measured.items():
            if name.startswith(bar.collection) and bar.engine in engines:
                for figure, least in bar.least.items():
                    yield _row(name, bar.engine, figure, engines[bar.engine][figure], least)


def _singles(measured: Figures) -> Iterator[list[str]]:
    """Yield the bars for collections of single facts: the results of FTS5 with OR in the same run."""
    for name, engines in measured.items():
        if _SINGLE in name:
            for figure in ("R@10", "nDCG@10"):
                yield _row(name, KEYWORDS, figure, engines[KEYWORDS][figure], engines[_PLAIN][figure])


def _strengths(name: str, counted: Sequence[Strength]) -> Iterator[list[str]]:
    total = sum(counted, start=Strength())
    if total.unrelated:
        yield _row(f"unrelated, shown as strong: {name}", KEYWORDS, "", -total.called_strong, -_MOST_STRONG)
    if total.right:
        yield _row(f"right, called weak: {name}", KEYWORDS, "", -total.called_weak, -_MOST_WEAK)


def _row(what: str, engine: str, figure: str, value: float, bar: float) -> list[str]:
    """Return a row of the table. A negative bar is a maximum, and is shown without its sign."""
    sign = "≤" if bar < 0 else "≥"
    return [what, engine, figure, f"{abs(value):.1f}", f"{sign} {abs(bar):g}", "yes" if value >= bar else "**no**"]
