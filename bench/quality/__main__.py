"""Quality of recall, compared with common alternatives: grep, full-text search and BM25.

Run: `python -m bench.quality [--locomo FILE] [--repository FOLDER] [--embedder NAME ...] [--only GROUP ...]`.
Prints its tables and writes them, with a plot, into `bench/results`, unless it is limited to some groups.
Random choices are seeded, so each run gives the same results.
"""

import argparse
from pathlib import Path

from bench.quality import report
from bench.quality.collections.groups import ROOT, Groups
from bench.quality.comparison import figures, store, stored
from bench.quality.engines.baselines import Grep, PlainFts5, RankBm25
from bench.quality.engines.lamella import Lamella
from bench.quality.measured import measure
from bench.tables import command, record
from lamella.domain.memories.query import Mode


def _options() -> argparse.Namespace:
    parser = command(__doc__)
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


def main() -> None:
    """Measure, print and write."""
    options = _options()
    groups = Groups(options).names
    collections = [each for name in options.only or groups for each in groups[name]()]
    engines = [Grep(), PlainFts5("AND"), PlainFts5("OR"), RankBm25(), Lamella()]
    engines += [Lamella(each, mode) for each in options.embedder for mode in (Mode.AUTO, Mode.SEMANTIC)]
    measured = measure(collections, engines)
    last = stored(options.results / "quality.json")
    tables = [table for table in measured.tables(last) if table.rows]
    details = report.details(measured.results)
    for table in [*tables, *(details if options.only else [])]:
        table.printed()
    if options.only:
        return
    store(options.results / "quality.json", last, figures(measured.results))
    record(options.results / "quality.md", [*tables, *details])
    report.plot(measured.results, options.results / "quality.png")


if __name__ == "__main__":
    main()
