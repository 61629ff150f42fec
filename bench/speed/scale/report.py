"""Tables and a plot of the measurements at several sizes."""

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen
from matplotlib.figure import Figure

from bench.speed.scale.writers import Written
from bench.support.timing import Times, percentile
from bench.tables import Table

OWN, OBVIOUS, TANTIVY = "lamella", "obvious join", "tantivy"
FIRST = "lamella, first time asked"
KINDS = ("or5", "nl8")


@frozen(kw_only=True)
class Recall:
    """Results of one kind of question for every engine, at one number of memories.

    `attempts` has the number of rankings that lamella needed for each question; see `term_split`.
    """

    kind: str
    project_rows: int
    times: Mapping[str, Times]
    attempts: Sequence[int]

    def against(self, engine: str) -> float:
        """Return the ratio of the time of `engine` to lamella's time."""
        return self.times[engine].p50 / self.times[OWN].p50


@frozen(kw_only=True)
class AtSize:
    """All measurements at one number of memories. Recalls in the largest project come first."""

    rows: int
    built_in: float
    recalls: Sequence[Recall]
    saves: Times
    writers: Sequence[Written]

    def in_big(self, kind: str) -> Recall:
        """Return the recall of a kind in the largest project."""
        return max((each for each in self.recalls if each.kind == kind), key=lambda each: each.project_rows)


def tables(measured: Sequence[AtSize]) -> list[Table]:
    """Return a table of recalls for each number of memories, then the tables with the conclusions."""
    return [*map(_recalls, measured), _ratios(measured), _growth(measured), _split(measured), _writers(measured)]


def plot(measured: Sequence[AtSize], path: Path) -> None:
    """Plot recalls in the largest project, and saves, against the number of memories."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    rows = [each.rows for each in measured]
    left, middle, right = figure.subplots(1, 3)
    for axes, kind in ((left, "or5"), (middle, "nl8")):
        for engine in measured[0].recalls[0].times:
            axes.plot(rows, [each.in_big(kind).times[engine].p50 for each in measured], "o-", label=engine)
        axes.set_title(f"recall, {kind}, the project with 40 %")
        axes.set_yscale("log")
    right.plot(rows, [statistics.median(each.saves.wall) for each in measured], "o-", label="wall")
    right.plot(rows, [each.saves.p50 for each in measured], "o-", label="CPU")
    right.set_title("durable save")
    right.set_ylim(bottom=0)
    for axes in (left, middle, right):
        axes.set_xscale("log")
        axes.set_xlabel("memories")
        axes.grid(visible=True, alpha=0.3)
    left.set_ylabel("CPU ms, p50")
    right.set_ylabel("ms, p50")
    left.legend(fontsize=8)
    right.legend(fontsize=8)
    figure.savefig(path, dpi=80)


def _recalls(measured: AtSize) -> Table:
    return Table(
        title=f"{measured.rows:,} memories in 50 projects, built in {measured.built_in:.0f} s; CPU / wall ms, p50",
        head=["engine", *(f"{each.kind}, {each.project_rows:,} rows" for each in measured.recalls)],
        rows=[
            [engine, *(str(each.times[engine]) for each in measured.recalls)]
            for engine in measured.recalls[0].times
        ],
    )


def _ratios(measured: Sequence[AtSize]) -> Table:
    rows = []
    for size in measured:
        recalls = [size.in_big(kind) for kind in KINDS]
        faster = " / ".join(f"{each.against(OBVIOUS):.1f}x" for each in recalls)
        share = " / ".join(f"{1 / each.against(TANTIVY):.2f}x" for each in recalls)
        rows.append([f"{size.rows:,}", faster, share])
    head = ["memories", "obvious join takes, or5 / nl8", "lamella takes of tantivy's time, or5 / nl8"]
    return Table(title="Ratios of CPU time in the project with 40 %", head=head, rows=rows)


def _growth(measured: Sequence[AtSize]) -> Table:
    rows = []
    for before, size in zip([None, *measured], measured, strict=False):
        grown = "" if before is None else f" ({size.rows // before.rows}x the memories)"
        rows.append(
            [
                f"{size.rows:,}{grown}",
                *(
                    f"{size.in_big(kind).times[OWN].p50:.2f} ms"
                    + ("" if before is None else f", {_growth_of(before, size, kind):.1f}x")
                    for kind in KINDS
                ),
                f"{size.saves} ms",
                f"{percentile(size.saves.wall, 99):.1f} ms",
            ]
        )
    head = ["memories", *(f"recall {kind}, CPU" for kind in KINDS), "save, CPU / wall", "save, wall p99"]
    return Table(title="Growth, in the project with 40 %", head=head, rows=rows)


def _growth_of(before: AtSize, size: AtSize, kind: str) -> float:
    return size.in_big(kind).times[OWN].p50 / before.in_big(kind).times[OWN].p50


def _split(measured: Sequence[AtSize]) -> Table:
    rows = [
        [f"{size.rows:,}", each.kind, f"{each.project_rows:,}", f"{_failed(each.attempts):.1%}"]
        for size in measured
        for each in size.recalls
    ]
    head = ["memories", "question", "rows of the project", "bound failed"]
    return Table(title="How often the term split had to rank again with more words", head=head, rows=rows)


def _failed(attempts: Sequence[int]) -> float:
    return sum(each > 1 for each in attempts) / len(attempts)


def _writers(measured: Sequence[AtSize]) -> Table:
    rows = []
    for size in measured:
        saves = sorted(1000 * each for writer in size.writers for each in writer.seconds)
        counts = [len(writer.seconds) for writer in size.writers]
        rows.append(
            [
                f"{size.rows:,}",
                str(sum(writer.errors for writer in size.writers)),
                f"{len(saves):,}",
                *(f"{each:.1f} ms" for each in (percentile(saves, 50), percentile(saves, 99), saves[-1])),
                f"{max(counts) / min(counts):.2f}",
            ]
        )
    head = ["memories", "errors", "saves", "p50", "p99", "worst", "most / fewest saves"]
    return Table(title="Eight processes saving into the project with 40 %", head=head, rows=rows)
