"""Quality of recall against what is commonly done instead.

Run: `python -m bench.quality [--locomo FILE] [--repository FOLDER] [--embedder NAME ...] [--only GROUP ...]`.
Prints its tables and writes them, with a plot, into `bench/results`, unless it is limited to some groups.
Everything is seeded: the same at every run.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.quality import report
from bench.quality.answers import answers, corpora
from bench.quality.bars import bars
from bench.quality.baselines import Grep, PlainFts5, RankBm25
from bench.quality.collection import Collection, Engine
from bench.quality.comparison import figures, store, stored, what_got_worse
from bench.quality.groups import ROOT, Groups
from bench.quality.lamella_engine import Lamella
from bench.quality.metrics import estimate, judged
from bench.quality.small import small_projects
from bench.quality.strength import Strength, strength
from bench.quality.unrelated import texts, unrelated
from bench.tables import Table

_RESULTS = ROOT / "bench" / "results"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, help="locomo10.json, or a part of it; not in this repository")
    parser.add_argument("--repository", type=Path, default=ROOT, help="whose history is asked about")
    parser.add_argument("--functions", type=int, default=1_000, help="memories of the collections of code")
    parser.add_argument("--questions", type=int, default=500, help="questions of code and of typos, at most")
    parser.add_argument("--embedder", action="append", default=[], help="besides keywords alone; may be repeated")
    parser.add_argument("--only", action="append", default=[], help="group of collections; may be repeated")
    options = parser.parse_args()
    known = Groups(options).names
    if not known.keys() >= set(options.only):
        parser.error(f"groups for --only: {', '.join(known)}")
    return options


def _results(
    corpus: Sequence[Collection], engines: Sequence[Engine], asked: Mapping[str, Sequence[str]]
) -> Iterator[tuple[report.Result, Mapping[str, Strength]]]:
    """Yield each result, and with the first collection what was called weak of each kind of unrelated question."""
    for answered in answers(corpus, engines, texts(asked)):
        for collection in corpus:
            judgements = [judged(answered.of(each).keys, each.relevant) for each in collection.questions]
            kinds = asked if collection is corpus[0] else {}
            yield (
                report.Result(
                    collection=collection,
                    engine=answered.engine,
                    figures={name: estimate([each[name] for each in judgements]) for name in report.FIGURES},
                    strength=strength(collection, answered, texts(kinds)),
                ),
                {kind: strength(collection, answered, each) for kind, each in kinds.items()},
            )


class _Measured:
    """Everything that one run measures."""

    def __init__(self, collections: Sequence[Collection], engines: Sequence[Engine]) -> None:
        self.results: list[report.Result] = []
        self.unrelated: dict[tuple[str, str], list[Strength]] = defaultdict(list)
        self.small: dict[tuple[str, int], dict[str, Strength]] = defaultdict(dict)
        self.engines = [engine.name for engine in engines]
        for corpus in corpora(collections):
            main = corpus[0]
            asked = unrelated(main, collections) if main.sentences else {}
            for result, kinds in _results(corpus, engines, asked):
                self.results.append(result)
                for kind, each in kinds.items():
                    self.unrelated[main.name, kind].append(each)
            if main.sentences and "single facts" not in main.name:
                for size, engine, each in small_projects(main, engines, texts(asked)):
                    self.small[main.name, size][engine] = each
            print(f"{main.name}: asked", flush=True)

    def tables(self, last: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[Table]:
        """Yield all tables but those of every figure."""
        now = figures(self.results)
        yield from report.summaries(self.results)
        yield Table(
            title="questions about something else: shown as strong / results among ten",
            head=["collection", "asked", *self.engines],
            rows=[
                [
                    *named,
                    *(f"{each.called_strong:.0f} % / {each.shown / max(1, each.unrelated):.1f}" for each in mine),
                ]
                for named, mine in self.unrelated.items()
            ],
        )
        yield Table(
            title="right answers (among the first three) that are called weak",
            head=["collection", *self.engines],
            rows=[
                [
                    collection.name,
                    *(f"{each.strength.called_weak:.1f} % of {each.strength.right}" for each in mine),
                ]
                for collection, mine in report.by_collection(self.results)
            ],
        )
        yield Table(
            title="small projects: questions about something else shown as strong / right answers called weak",
            head=["collection", "memories", *self.engines],
            rows=[
                [
                    name,
                    str(size),
                    *(f"{each.called_strong:.0f} % / {each.called_weak:.0f} %" for each in mine.values()),
                ]
                for (name, size), mine in self.small.items()
            ],
        )
        yield bars(now, self.results, self._small_by_size())
        yield what_got_worse(now, last)

    def _small_by_size(self) -> Mapping[int, Mapping[str, Strength]]:
        total: dict[int, dict[str, Strength]] = defaultdict(lambda: dict.fromkeys(self.engines, Strength()))
        for (_, size), mine in self.small.items():
            for engine, each in mine.items():
                total[size][engine] += each
        return total


def main() -> None:
    """Measures, prints and writes."""
    options = _options()
    groups = Groups(options).names
    collections = [each for name in options.only or groups for each in groups[name]()]
    engines = [Grep(), PlainFts5("AND"), PlainFts5("OR"), RankBm25(), Lamella(), *map(Lamella, options.embedder)]
    measured = _Measured(collections, engines)
    last = stored(_RESULTS / "quality.json")
    tables = [table for table in measured.tables(last) if table.rows]
    details = report.details(measured.results)
    for table in [*tables, *(details if options.only else [])]:
        table.printed()
    if options.only:
        return
    store(_RESULTS / "quality.json", last, figures(measured.results))
    (_RESULTS / "quality.md").write_text("".join(table.markdown for table in [*tables, *details]), "utf-8")
    report.plot(measured.results, _RESULTS / "quality.png")


if __name__ == "__main__":
    main()
