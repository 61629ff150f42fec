"""Cost of search by meaning on PostgreSQL, with and without an index of the extension `vector`.

Run: `python -m bench.team --server URL …`, which fills a server, and then `python -m bench.team.meaning --server
'URL&tenant=…'`. It stores random vectors for the tenant's memories; they form clusters, as vectors of texts do.
Prints a table, and writes it into `bench/results`. No figure is asserted.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from bench.speed.nearest import Space
from bench.support.workload import Language
from bench.tables import Table, command, publish
from bench.team.server import administer, processor_seconds
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.query import ByText, Filters, RecallQuery
from lamella.domain.search.ranking import ALIKE, WORDED
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.embeddings.vector_index import CODED_FROM
from lamella_adapters.postgresql.storage import PostgresStorage

_MODEL = EmbeddingModel("bench", 384)
_LEAST, _CALLS, _BATCH = 1_000, 40, 1_000
_INDEXES = """
SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'lamella.vector'::regclass AND NOT indisprimary
"""
_SIZES = """
SELECT (SELECT count(*) FROM lamella.observation WHERE project = number), id FROM lamella.project
ORDER BY number DESC
"""
_VECTORS = """
SELECT seq, vector FROM lamella.vector JOIN lamella.project ON number = project WHERE id = %s ORDER BY seq DESC
"""


def _embed(storage: PostgresStorage, project: str, size: int) -> None:
    index, directions = storage.vectors(project, _MODEL), Space(1, _MODEL.dimension).directions(size)
    index.adopt()
    while batch := index.pending(limit=_BATCH):
        index.put([NewVector.of(each, Vector.of(map(float, directions[each.sequence - 1]))) for each in batch])


def _rows(storage: PostgresStorage, url: str, project: str, size: int) -> Iterator[list[str]]:
    language, index, search = Language(3), storage.vectors(project, _MODEL), storage.search(project)
    asked = [Vector.of(map(float, each)) for each in Space(2, _MODEL.dimension).directions(_CALLS)]
    turns = iter(asked * 3)

    def words() -> None:
        search.find(RecallQuery(selector=ByText(language.five_terms())))

    def both() -> None:
        """Run the queries of a recall by words and by meaning."""
        index.coverage()
        query = RecallQuery(selector=ByText(language.five_terms()), limit=WORDED)
        said = {hit.observation.id for hit in search.find(query)}
        near = index.nearest(next(turns), RecallQuery(limit=ALIKE), compared=said).hits
        others = frozenset(hit.observation.id for hit in near) - said
        search.find(RecallQuery(selector=query.selector, limit=len(others), filters=Filters(ids=others)))

    cost = _cost(storage, words), _cost(storage, both)
    stored = administer(url, _VECTORS, project)
    kept = np.frombuffer(b"".join(vector for _, vector in stored), np.int8).reshape(size, -1).astype(np.float64)
    lengths, same = np.linalg.norm(kept, axis=1), 0
    for each in asked:
        near = index.nearest(each, RecallQuery(limit=10)).hits
        cosines = kept @ np.frombuffer(each.components, np.int8) / lengths
        best = [stored[place][0] for place in np.argsort(-cosines, kind="stable")[:10]]
        same += best == [hit.observation.sequence for hit in near]
    by = "index" if administer(url, _INDEXES) else "codes" if size >= CODED_FROM else "all"
    yield [
        f"{size:,}",
        by,
        *(f"{each:.1f}" for each in cost),
        f"{cost[1] / cost[0]:.1f}x",
        f"{100 * same / len(asked):.0f} %",
    ]


def _cost(storage: PostgresStorage, make: Callable[[], None]) -> float:
    """Return the server's processor time for a call, in milliseconds."""
    make()
    with storage.database.pool.connection() as connection:
        backend = connection.info.backend_pid
    before = processor_seconds(backend)
    for _ in range(_CALLS):
        make()
    return 1000 * (processor_seconds(backend) - before) / _CALLS


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--server", required=True, help="URL of a server and a tenant")
    options = parser.parse_args()
    rows: list[list[str]] = []
    with closing(open_storage(options.server, Path())) as storage:
        known = {each.id for each in storage.registry.all()}
        found = {size: id for size, id in administer(options.server, _SIZES) if id in known and size >= _LEAST}
        sizes = sorted(found.items())
        for size, id in sizes:
            _embed(storage, id, size)
        for (name,) in administer(options.server, _INDEXES):
            administer(options.server, f"DROP INDEX {name}")
        for size, id in sizes:
            rows += _rows(storage, options.server, id, size)
        administer(options.server, "CREATE EXTENSION IF NOT EXISTS vector")
        large = [each for each in storage.diagnosis.findings() if each.repair]
        for each in large:
            storage.diagnosis.repair(each)
        for size, id in sizes:
            rows += _rows(storage, options.server, id, size) if id in {each.subject for each in large} else ()
    table = Table(
        title="Search by meaning on PostgreSQL: CPU ms of the server",
        head=["memories of the project", "vectors by", "words", "words and meaning", "ratio", "same top ten"],
        rows=rows,
    )
    publish(options.results / "meaning.md", [table])


if __name__ == "__main__":
    main()
