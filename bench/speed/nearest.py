"""Speed of finding nearest vectors, compared with sqlite-vec, used as in its documentation, and with exact search.

Run: `python -m bench.speed.nearest [--rows 100000] [--folder FOLDER]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted.
"""

import importlib.util
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Protocol
from uuid import UUID

import apsw
import numpy as np
import numpy.typing as npt

from bench.support.population import Population, populated
from bench.support.timing import in_turns
from bench.tables import Table, command, publish
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.query import RecallQuery
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.sqlite.storage import SqliteStorage

Floats = npt.NDArray[np.float32]

_DIMENSION, _SUBJECTS, _NEAREST, _QUESTIONS, _BATCH = 256, 200, 10, 100, 1_000
_MODEL = EmbeddingModel("bench", _DIMENSION)
_SPREAD = 0.7
"""Spread of texts about one subject, relative to the distance between subjects."""

_TABLE = f"CREATE VIRTUAL TABLE vector USING vec0(project TEXT PARTITION KEY, embedding float[{_DIMENSION}])"
_FIND = "SELECT rowid FROM vector WHERE embedding MATCH ? AND k = ? AND project = ?"


class Space:
    """Source of clustered directions, like the vectors of texts. Random directions would be equally far apart."""

    def __init__(self, seed: int, dimension: int = _DIMENSION) -> None:
        self._random = np.random.default_rng(seed)
        self._subjects = np.random.default_rng(0).standard_normal((_SUBJECTS, dimension)).astype(np.float32)

    def directions(self, count: int) -> Floats:
        """Return a number of directions of length 1."""
        around = self._subjects[self._random.integers(_SUBJECTS, size=count)]
        made = around + _SPREAD * self._random.standard_normal(around.shape).astype(np.float32)
        directions: Floats = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return directions


class _Index(Protocol):
    """Index of the vectors of all projects. A vector is identified by its position in its project."""

    def nearest(self, project: str, direction: Floats) -> Sequence[int]:
        """Return the positions of the ten nearest vectors."""


class _Lamella(_Index):
    """lamella's index. It reads the observations together with their vectors."""

    def __init__(self, storage: SqliteStorage, directions: Mapping[str, Floats]) -> None:
        self._storage = storage
        self._places: dict[UUID, int] = {}
        for project, vectors in directions.items():
            with storage.registry.file_of(project).database.reading() as connection:
                ids = [UUID(bytes=id_) for (id_,) in connection.execute("SELECT id FROM observation ORDER BY seq")]
            self._places |= {id_: place for place, id_ in enumerate(ids)}
            index = storage.vectors(project, _MODEL)
            index.adopt()
            while batch := index.pending(limit=_BATCH):
                index.put(
                    [NewVector.of(each, Vector.of(map(float, vectors[self._places[each.id]]))) for each in batch]
                )

    def nearest(self, project: str, direction: Floats) -> Sequence[int]:
        index, vector = self._storage.vectors(project, _MODEL), Vector.of(map(float, direction))
        hits = index.nearest(vector, RecallQuery(limit=_NEAREST)).hits
        return [self._places[hit.observation.id] for hit in hits]


class _Vec0(_Index):
    """Table of sqlite-vec, partitioned by project. A search reads only row numbers."""

    def __init__(self, path: Path, directions: Mapping[str, Floats]) -> None:
        self._connection = apsw.Connection(str(path))
        self._firsts = dict(zip(directions, accumulate(map(len, directions.values()), initial=1), strict=False))
        package = importlib.util.find_spec("sqlite_vec")
        assert package is not None
        assert package.submodule_search_locations is not None
        self._connection.enable_load_extension(True)
        self._connection.load_extension(str(Path(package.submodule_search_locations[0]) / "vec0"))
        self._connection.execute(_TABLE)
        with self._connection:
            for project, vectors in directions.items():
                self._connection.executemany(
                    "INSERT INTO vector (rowid, project, embedding) VALUES (?, ?, ?)",
                    (
                        (number, project, vector.tobytes())
                        for number, vector in enumerate(vectors, self._firsts[project])
                    ),
                )

    def nearest(self, project: str, direction: Floats) -> Sequence[int]:
        found = self._connection.execute(_FIND, (direction.tobytes(), _NEAREST, project))
        return [number - self._firsts[project] for (number,) in found]


def _rows(population: Population, path: Path) -> Iterator[list[str]]:
    space = Space(seed=1)
    directions = {
        project: space.directions(size)
        for project, size in zip(population.projects, population.sizes, strict=True)
    }
    with closing(SqliteStorage(population.folder)) as storage:
        own, plain = _Lamella(storage, directions), _Vec0(path, directions)
        for project in (population.big, population.small):
            asked = Space(seed=2).directions(_QUESTIONS)
            exact = np.argsort(-(asked @ directions[project].T), axis=1)[:, :_NEAREST]
            calls = {
                name: [partial(index.nearest, project, each) for each in asked]
                for name, index in (("lamella", own), ("vec0, float32", plain))
            }
            in_turns(calls)
            times = in_turns(calls)
            for name, answers in calls.items():
                shares = [len({*truth} & {*find()}) / _NEAREST for truth, find in zip(exact, answers, strict=True)]
                ratio = times["vec0, float32"].p50 / times[name].p50
                yield [
                    name,
                    f"{len(directions[project]):,}",
                    str(times[name]),
                    f"{np.mean(shares):.3f}",
                    f"{ratio:.2f}x",
                ]


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where the memories are made; else where temporary files go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        population = populated(Path(folder) / "data", options.rows)
        rows = list(_rows(population, Path(folder) / "vec0.db"))
    table = Table(
        title=f"The ten nearest of {options.rows:,} vectors in 50 projects, {_DIMENSION} dimensions",
        head=["engine", "rows of the project", "CPU / wall ms, p50", "recall@10", "as fast as vec0"],
        rows=rows,
    )
    publish(options.results / "nearest.md", [table])


if __name__ == "__main__":
    main()
