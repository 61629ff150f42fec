"""Regressions: figures of lamella below the same run's best baseline, or below the previous run's figures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.quality.report import Result, by_collection
from bench.tables import Table

FIGURES = ("R@3", "R@10", "nDCG@10")
_OWN = "lamella"

Figures = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Percentages by collection, engine and figure."""


def figures(results: Sequence[Result]) -> Figures:
    """Return the figures of a run, for comparison with the next run."""
    return {
        collection.name: {each.engine: {name: each.percent(name) for name in FIGURES} for each in mine}
        for collection, mine in by_collection(results)
    }


def stored(path: Path) -> Figures:
    """Return the figures of earlier runs, if any."""
    known: Figures = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known


def store(path: Path, last: Figures, now: Figures) -> None:
    """Store the figures of this run, replacing the same figures of earlier runs."""
    merged = {name: {**last.get(name, {}), **now.get(name, {})} for name in sorted({*last, *now})}
    path.write_text(json.dumps(merged, indent=1, ensure_ascii=False) + "\n", "utf-8")


def what_got_worse(now: Figures, last: Figures) -> Table:
    """Return the figures of lamella that are below a baseline of this run, or below their last value."""
    return Table(
        title="What got worse",
        head=["collection", "engine", "figure", "measured", "against", "was", "less by"],
        rows=[
            [collection, engine, figure, f"{value:.1f}", against, f"{best:.1f}", f"{best - value:.1f}"]
            for collection, engines in now.items()
            for engine, values in engines.items()
            if engine.startswith(_OWN)
            for figure, value in values.items()
            for against, best in _better(engines, last.get(collection, {}).get(engine, {}), figure, value)
        ],
    )


def _better(
    engines: Mapping[str, Mapping[str, float]], before: Mapping[str, float], figure: str, value: float
) -> Iterator[tuple[str, float]]:
    baselines = {name: each[figure] for name, each in engines.items() if not name.startswith(_OWN)}
    best = max(baselines, key=lambda name: baselines[name], default="")
    if best and baselines[best] > value:
        yield best, baselines[best]
    if before.get(figure, 0) > value:
        yield "the last run", before[figure]
