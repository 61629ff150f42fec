"""Quality of recall against what is commonly done instead.

Run: `python -m bench.quality [--locomo FILE] [--repository FOLDER] [--embedder NAME ...]`. Prints a table for each
collection, and writes the same and a plot into `bench/results`. Everything is seeded: the same at every run.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.quality import report, source_code
from bench.quality.baselines import Grep, PlainFts5
from bench.quality.collection import Collection, Engine
from bench.quality.history import history
from bench.quality.lamella_engine import Lamella
from bench.quality.locomo import locomo
from bench.quality.metrics import estimate, judged
from bench.quality.unrelated import unrelated

_ROOT = Path(__file__).resolve().parents[2]
_RESULTS = _ROOT / "bench" / "results"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, help="locomo10.json, or a part of it; not in this repository")
    parser.add_argument("--repository", type=Path, default=_ROOT, help="whose history is asked about")
    parser.add_argument("--functions", type=int, default=1_000, help="memories of the collections of code")
    parser.add_argument("--questions", type=int, default=500, help="questions of each collection of code, at most")
    parser.add_argument("--embedder", action="append", default=[], help="besides keywords alone; may be repeated")
    return parser.parse_args()


def _collections(options: argparse.Namespace) -> Iterator[Collection]:
    if options.locomo is None:
        print("LoCoMo: skipped, no file given (--locomo)")
    else:
        yield locomo(options.locomo)
    yield from source_code.collections(options.functions, options.questions)
    own = options.repository == _ROOT
    commits = history(options.repository, "this repository" if own else options.repository.resolve().name)
    if commits is None:
        print(f"history: skipped, {options.repository} has none")
    else:
        yield commits


def _results(collections: Sequence[Collection], engines: Sequence[Engine]) -> Iterator[report.Result]:
    for collection in collections:
        for engine in engines:
            figures = [
                judged(ranking, question.relevant)
                for memories, questions in collection.projects.values()
                for ranking, question in zip(engine.rankings(memories, questions), questions, strict=True)
            ]
            yield report.Result(
                collection=collection,
                engine=engine.name,
                figures={name: estimate([each[name] for each in figures]) for name in report.FIGURES},
            )


def main() -> None:
    """Measures, prints and writes."""
    options = _options()
    own = [Lamella(), *map(Lamella, options.embedder)]
    collections = list(_collections(options))
    results = list(_results(collections, [Grep(), PlainFts5("AND"), PlainFts5("OR"), *own]))
    tables = [*report.tables(results), unrelated(collections, own)]
    for table in tables:
        table.printed()
    _RESULTS.mkdir(exist_ok=True)
    (_RESULTS / "quality.md").write_text("".join(table.markdown for table in tables), "utf-8")
    report.plot(results, _RESULTS / "quality.png")


if __name__ == "__main__":
    main()
