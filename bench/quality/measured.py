"""All measurements of a run. Each corpus is measured in a separate process, on all processors in parallel."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from attrs import Factory, define

from bench.quality import report
from bench.quality.answers import answers, corpora
from bench.quality.bars import bars
from bench.quality.collection import Collection, Engine
from bench.quality.collections.unrelated import texts, unrelated
from bench.quality.comparison import Figures, figures, what_got_worse
from bench.quality.metrics import estimate, judged
from bench.quality.small import small_projects
from bench.quality.strength import Strength, strength
from bench.tables import Table


@define
class Measured:
    """Results of all collections and engines.

    Attributes:
        engines: Names of the engines.
        results: A result for each collection and engine.
        unrelated: Shares of weak matches for questions without an answer, by collection and kind, for each engine.
        small: Counts of weak matches in small projects, by collection and size of the project, for each engine.
    """

    engines: Sequence[str]
    results: list[report.Result] = Factory(list)
    unrelated: dict[tuple[str, str], list[Strength]] = Factory(dict)
    small: dict[tuple[str, int], dict[str, Strength]] = Factory(dict)

    def tables(self, last: Figures) -> Iterator[Table]:
        """Yield all tables except the detailed tables, which have every figure of each collection."""
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


def measure(collections: Sequence[Collection], engines: Sequence[Engine]) -> Measured:
    """Ask all engines about all collections."""
    total = Measured([engine.name for engine in engines])
    groups = corpora(collections)
    asked = [unrelated(corpus[0], collections) if corpus[0].sentences else {} for corpus in groups]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as processes:
        for part in processes.map(_measure, groups, [engines] * len(groups), asked):
            total.results += part.results
            total.unrelated |= part.unrelated
            total.small |= part.small
            print(
                f"asked: {', '.join(collection.name for collection, _ in report.by_collection(part.results))}",
                flush=True,
            )
    return total


def _measure(
    corpus: Sequence[Collection], engines: Sequence[Engine], asked: Mapping[str, Sequence[str]]
) -> Measured:
    """Measure one corpus. Its first collection gets the results of unrelated questions and small projects."""
    made = Measured([engine.name for engine in engines])
    main = corpus[0]
    for answered in answers(corpus, engines, texts(asked)):
        for collection in corpus:
            judgements = [judged(answered.of(each).keys, each.relevant) for each in collection.questions]
            made.results.append(
                report.Result(
                    collection=collection,
                    engine=answered.engine,
                    figures={name: estimate([each[name] for each in judgements]) for name in report.FIGURES},
                    strength=strength(collection, answered, texts(asked) if collection is main else ()),
                )
            )
        for kind, each in asked.items():
            made.unrelated.setdefault((main.name, kind), []).append(strength(main, answered, each))
    if main.sentences and not main.single:
        for size, engine, counted in small_projects(main, engines, texts(asked)):
            made.small.setdefault((main.name, size), {})[engine] = counted
    return made
