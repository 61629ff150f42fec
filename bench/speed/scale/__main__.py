"""Speed of recalls and saves at growing numbers of memories, compared with other search engines in the same run.

Run: `python -m bench.speed.scale [--rows 10000 100000 1000000] [--seconds 5] [--folder FOLDER]`. Prints tables,
and writes them and a plot into `bench/results`. A million memories need about ten gigabytes of disk and a
quarter of an hour; all files are removed at the end. Nothing is asserted.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from bench.speed.scale import report
from bench.speed.scale.engines import LIMIT, Engine, Lamella, ObviousJoin, Tantivy, TantivyThatSkips
from bench.speed.scale.report import FIRST, KINDS, OWN, AtSize, Recall
from bench.speed.scale.term_split import attempts
from bench.speed.scale.writers import eight_writers
from bench.support.population import Population, populated
from bench.support.timing import Times, in_turns
from bench.support.workload import Language
from bench.tables import command, publish
from lamella.domain.memories.observation import Draft
from lamella_adapters.sqlite.storage import SqliteStorage

_QUESTIONS, _ATTEMPTS, _SAVES = 25, 200, 200


def measured(folder: Path, rows: int, seconds: float) -> AtSize:
    """Measure recalls and saves at one number of memories."""
    population = populated(folder / "data", rows)
    print(f"{rows:,} memories built in {population.built_in:.0f} s")
    recalls = list(_recalls(population, folder))
    with closing(SqliteStorage(population.folder)) as storage:
        saves = _saves(storage, population.big)
    return AtSize(
        rows=rows,
        built_in=population.built_in,
        recalls=recalls,
        saves=saves,
        writers=eight_writers(population.folder, population.big, seconds),
    )


def _recalls(population: Population, folder: Path) -> Iterator[Recall]:
    own, tantivy = Lamella(population), Tantivy(population, folder / "tantivy")
    engines = [own, ObviousJoin(population, folder / "obvious.db"), tantivy, TantivyThatSkips(tantivy)]
    language = Language(seed=11)
    for project, rows in (population.big, population.sizes[0]), (population.small, population.sizes[-1]):
        for kind, question in zip(KINDS, (language.five_terms, language.eight_words), strict=True):
            asked = [question() for _ in range(_QUESTIONS)]
            others = [question() for _ in range(_ATTEMPTS)]
            yield Recall(
                kind=kind,
                project_rows=rows,
                times=_times(engines, project, asked),
                attempts=attempts(own.storage, project, others, LIMIT),
            )
    for engine in engines:
        engine.close()


def _times(engines: Sequence[Engine], project: str, questions: Sequence[str]) -> dict[str, Times]:
    """Return the times of repeated questions for each engine, and of first-time questions for lamella."""
    calls = {
        engine.name: [partial(engine.search, project, question) for question in questions] for engine in engines
    }
    first = in_turns(calls)
    again = in_turns(calls)
    return {OWN: again[OWN], FIRST: first[OWN], **again}


def _saves(storage: SqliteStorage, project: str) -> Times:
    language, observations = Language(seed=13), storage.observations(project)
    drafts = [Draft(content=language.text(80), title=language.text(7), session="saves") for _ in range(_SAVES)]
    calls = [lambda each=each: observations.add(each, id=uuid4(), now=datetime.now(UTC)) for each in drafts]
    return in_turns({OWN: calls})[OWN]


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=5.0, help="of eight processes that save")
    parser.add_argument("--folder", type=Path, help="where the memories are made; else where temporary files go")
    options = parser.parse_args()
    sizes: list[AtSize] = []
    for rows in options.rows:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            sizes.append(measured(Path(folder), rows, options.seconds))
    publish(options.results / "scale.md", report.tables(sizes))
    report.plot(sizes, options.results / "scale.png")


if __name__ == "__main__":
    main()
