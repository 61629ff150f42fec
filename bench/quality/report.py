"""Tables and a plot of the measurements."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import frozen
from matplotlib.figure import Figure

from bench.quality.collection import Collection
from bench.quality.metrics import Estimate
from bench.tables import Table

FIGURES = ("R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10")
_PLOTTED = ("R@10", "nDCG@10")


@frozen(kw_only=True)
class Result:
    """Result of one engine on one collection: an estimate of each figure, from 0 to 1."""

    collection: Collection
    engine: str
    figures: Mapping[str, Estimate]

    @property
    def row(self) -> list[str]:
        """The engine, and each figure in percent with half of its interval."""
        return [self.engine, *(_percent(self.figures[name]) for name in FIGURES)]


def tables(results: Sequence[Result]) -> list[Table]:
    """One of the figures that count most, and one of all figures for each collection."""
    groups = _by_collection(results)
    summary = Table(
        title=" / ".join(_PLOTTED),
        head=["collection", "questions", *dict.fromkeys(each.engine for each in results)],
        rows=[
            [collection.name, f"{len(collection.questions):,}", *(_summary(each) for each in mine)]
            for collection, mine in groups
        ],
    )
    return [summary] + [
        Table(title=_heading(collection), head=["engine", *FIGURES], rows=[each.row for each in mine])
        for collection, mine in groups
    ]


def plot(results: Sequence[Result], path: Path) -> None:
    """Bars of the two figures that count most, with their intervals."""
    engines = list(dict.fromkeys(each.engine for each in results))
    groups = _by_collection(results)
    figure = Figure(figsize=(11, 6), layout="constrained")
    width = 0.8 / len(engines)
    for axes, name in zip(figure.subplots(len(_PLOTTED), 1), _PLOTTED, strict=True):
        for number, engine in enumerate(engines):
            mine = [each.figures[name] for _, group in groups for each in group if each.engine == engine]
            means, lows, highs = 100 * np.array([(each.mean, each.low, each.high) for each in mine]).T
            places = np.arange(len(groups)) + number * width
            axes.bar(places, means, width, yerr=[means - lows, highs - means], label=engine)
        axes.set_ylabel(f"{name}, %")
        axes.set_ylim(0, 105)
        names = [textwrap.fill(collection.name, 20) for collection, _ in groups]
        axes.set_xticks(np.arange(len(groups)) + 0.4 - width / 2, names)
    figure.axes[0].legend(ncols=len(engines), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    figure.savefig(path, dpi=80)


def _by_collection(results: Sequence[Result]) -> list[tuple[Collection, list[Result]]]:
    unique = {id(each.collection): each.collection for each in results}
    return [(each, [one for one in results if one.collection is each]) for each in unique.values()]


def _heading(collection: Collection) -> str:
    bar = f"; bar: R@10 of {collection.bar:g}" if collection.bar is not None else ""
    questions, memories = len(collection.questions), len(collection.memories)
    return f"{collection.name}: {questions:,} questions, {memories:,} memories{bar}"


def _summary(result: Result) -> str:
    return " / ".join(f"{100 * result.figures[name].mean:.1f}" for name in _PLOTTED)


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f} ± {50 * (estimate.high - estimate.low):.1f}"
