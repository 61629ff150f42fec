"""Tables and a plot of the measurements."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import frozen
from matplotlib.figure import Figure

from bench.quality.collection import Collection
from bench.quality.metrics import Estimate
from bench.quality.strength import Strength
from bench.tables import Table

FIGURES = ("R@1", "R@3", "R@5", "R@10", "R@20", "MRR", "nDCG@10")
_PLOTTED = ("R@10", "nDCG@10")


@frozen(kw_only=True)
class Result:
    """Result of one engine on one collection.

    Attributes:
        collection: The collection.
        engine: Name of the engine.
        figures: Estimate of each figure, from 0 to 1.
        strength: Counts of weak matches, including questions without an answer if any were asked.
    """

    collection: Collection
    engine: str
    figures: Mapping[str, Estimate]
    strength: Strength

    @property
    def row(self) -> list[str]:
        """Return the engine, and each figure in percent with half the width of its confidence interval."""
        return [self.engine, *(_percent(self.figures[name]) for name in FIGURES)]

    def percent(self, figure: str) -> float:
        """Return the mean of a figure in percent, to one decimal."""
        return round(100 * self.figures[figure].mean, 1)


def summaries(results: Sequence[Result]) -> list[Table]:
    """Return a summary table for each set of measures."""
    groups = by_collection(results)
    return [
        Table(
            title=" / ".join(figures),
            head=["collection", "questions", *dict.fromkeys(each.engine for each in results)],
            rows=[
                [
                    collection.name,
                    f"{len(collection.questions):,}",
                    *(" / ".join(f"{each.percent(name):.1f}" for name in figures) for each in mine),
                ]
                for collection, mine in groups
                if collection.figures == figures
            ],
        )
        for figures in dict.fromkeys(collection.figures for collection, _ in groups)
    ]


def details(results: Sequence[Result]) -> list[Table]:
    """Return a table of all figures for each collection."""
    return [
        Table(title=_heading(collection), head=["engine", *FIGURES], rows=[each.row for each in mine])
        for collection, mine in by_collection(results)
    ]


def plot(results: Sequence[Result], path: Path) -> None:
    """Plot the two main figures with their intervals, for the most informative collections."""
    results = [each for each in results if each.collection.plotted]
    engines = list(dict.fromkeys(each.engine for each in results))
    groups = by_collection(results)
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


def by_collection(results: Sequence[Result]) -> list[tuple[Collection, list[Result]]]:
    """Group the results by collection."""
    unique = {each.collection.name: each.collection for each in results}
    return [(each, [one for one in results if one.collection.name == name]) for name, each in unique.items()]


def _heading(collection: Collection) -> str:
    return f"{collection.name}: {len(collection.questions):,} questions, {len(collection.memories):,} memories"


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f} ± {50 * (estimate.high - estimate.low):.1f}"
