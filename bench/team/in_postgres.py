"""Fill projects on PostgreSQL quickly: the adapter's rows go into temporary tables, then into all projects.

Keys of the largest tables are dropped first and built at the end, which is much faster. To check the result, some
memories are also saved in the ordinary way, and the rows are compared.
"""

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path

import psycopg

from bench.support.workload import Language, Memory, memories
from bench.team.population import BEGINNING, SEED, Home, places, seconds_since
from bench.team.server import administer, administering
from lamella.domain.projects.project import Location
from lamella.domain.search.indexing import CONTEXT_OBSERVATIONS
from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_adapters.postgresql.tables import observation_rows
from lamella_adapters.postgresql.tables.contexts import document

_PROCESSES = 2
_BLOCK = 1_000
"""Number of memories that a process analyses at a time: whole sessions, because contexts don't cross sessions."""
_PORTION = 20_000
"""Maximum number of memories that a statement copies into projects, unless a single project has more."""

_TABLES = {
    "observation": observation_rows.WRITTEN,
    "document": ("part", "seq", "length", "tokens"),
    "posting": ("part", "term", "seq", "weight", "length"),
}
"""Tables to copy, with the columns whose values come from the memories."""
_COUNTED = {
    "term": (
        "part, term, holders",
        # Store terms in the order of real saves: frequent terms came early, and are stored side by side.
        "SELECT part, term, count(*) FROM beside.posting WHERE seq <= %(size)s GROUP BY 1, 2 ORDER BY min(seq)",
    ),
    "index_size": (
        "part, documents, tokens",
        "SELECT part, count(*) AS n, sum(length) AS t FROM beside.document WHERE seq <= %(size)s GROUP BY part",
    ),
}
"""Tables with counts of rows in other tables: their columns, and the SQL that computes these for a project."""

_BESIDE = "CREATE UNLOGGED TABLE beside.{table} AS SELECT {columns} FROM lamella.{table} WITH NO DATA"
_SPREAD = """
INSERT INTO lamella.{table} (tenant, project, {columns}) SELECT p.tenant, p.number, {chosen}
FROM lamella.project AS p CROSS JOIN LATERAL (SELECT * FROM beside.{table} WHERE seq <= %(size)s OFFSET 0) AS s
WHERE p.number = ANY(%(projects)s)
"""
_COUNT = """
WITH s AS MATERIALIZED ({counting})
INSERT INTO lamella.{table} (tenant, project, {columns}) SELECT p.tenant, p.number, s.*
FROM lamella.project AS p CROSS JOIN s WHERE p.number = ANY(%(projects)s)
"""
_KEYS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'p' AND conrelid IN ('lamella.posting'::regclass, 'lamella.term'::regclass)
"""
_SEQUENCES = """
UPDATE lamella.project AS p SET sequence = n.size FROM unnest(%s::bigint[], %s::bigint[]) AS n (number, size)
WHERE p.number = n.number
"""
_ROWS_OF = """
SELECT {columns} FROM lamella.{table} WHERE project = %s
"""
_DIFFERENT = f"""
WITH a AS ({_ROWS_OF}), b AS ({_ROWS_OF})
SELECT count(*) FROM ((TABLE a EXCEPT ALL TABLE b) UNION ALL (TABLE b EXCEPT ALL TABLE a)) AS d
"""  # noqa: S608 - our own constants


def in_postgres(url: str, folder: Path, sizes: Sequence[int]) -> Home:
    """Create projects of these sizes on a server, in a separate tenant.

    Raises:
        SystemExit: The rows differ from the rows of real saves.
    """
    begun = time.perf_counter()
    tenant = f"{sum(sizes)}-in-{len(sizes)}"
    location = f"{url}{'&' if '?' in url else '?'}tenant={tenant}"
    with closing(open_storage(location, folder)) as storage:
        ids = [storage.registry.at(place, now=BEGINNING).id for place in places(len(sizes))]
    administer(url, "DROP SCHEMA IF EXISTS beside CASCADE")
    administer(url, "CREATE SCHEMA beside")
    for table, columns in _TABLES.items():
        administer(url, _BESIDE.format(table=table, columns=", ".join(columns)))
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("spawn")) as pool:
        for _ in pool.map(_write, [url] * _PROCESSES, [max(sizes)] * _PROCESSES, range(_PROCESSES)):
            pass
    analysed = time.perf_counter()
    _spread(url, _numbers(url, tenant, ids), sizes)
    home = Home(
        name="PostgreSQL",
        location=location,
        folder=folder,
        projects=ids,
        sizes=sizes,
        built_in=(analysed - begun, seconds_since(analysed)),
    )
    _require_as_saved(url, tenant, home)
    return home


def _write(url: str, count: int, worker: int) -> None:
    """Write the rows of this worker's blocks of memories (every second block) into the temporary tables."""
    made = memories(Language(SEED), count)
    with administering(url) as connection:
        for first in range(0, count, _BLOCK):
            block = list(islice(made, _BLOCK))
            if first // _BLOCK % _PROCESSES == worker:
                _copy(connection, first, block)


def _copy(connection: psycopg.Connection, first: int, block: Sequence[Memory]) -> None:
    rows: dict[str, list[Sequence[object]]] = {table: [] for table in _TABLES}
    before: dict[str | None, deque[tuple[str, str]]] = defaultdict(lambda: deque(maxlen=CONTEXT_OBSERVATIONS))
    for sequence, (id, at, draft) in enumerate(block, first + 1):
        said = draft.observed(id=id, project="", sequence=sequence, now=at)
        hidden_forms = observation_rows.hidden_forms_of(said)
        values = observation_rows.written(
            said, fingerprint=draft.fingerprint, request=draft.request, hidden_forms=hidden_forms
        )
        indexed = document(said, hidden_forms, list(before[draft.session]))
        before[draft.session].appendleft((draft.title, draft.content))
        rows["observation"].append([values[name] for name in observation_rows.WRITTEN])
        rows["document"].append((indexed.part, sequence, indexed.length, indexed.stored))
        rows["posting"] += [
            (indexed.part, term, sequence, weight, indexed.length) for term, weight in indexed.weights().items()
        ]
    for table, columns in _TABLES.items():
        with connection.cursor().copy(f"COPY beside.{table} ({', '.join(columns)}) FROM STDIN".encode()) as copy:
            for row in rows[table]:
                copy.write_row(row)


def _numbers(url: str, tenant: str, ids: Sequence[str]) -> list[int]:
    """Return the numbers of a tenant's projects. Ids aren't unique: tenants may have projects with equal ids."""
    numbers = dict(administer(url, "SELECT id, number FROM lamella.project WHERE tenant = %s", tenant))
    return [numbers[id] for id in ids]


def _spread(url: str, projects: Sequence[int], sizes: Sequence[int]) -> None:
    """Copy the rows into each project."""
    with _keys_at_the_end(url), ThreadPoolExecutor(_PROCESSES) as pool:
        for table in _TABLES:
            administer(url, f"CREATE INDEX ON beside.{table} (seq)")
            administer(url, f"VACUUM ANALYZE beside.{table}")
        jobs = [
            pool.submit(_run, url, statement, {"size": size, "projects": some})
            for size, some in _portions(projects, sizes)
            for statement in _statements()
        ]
        for job in jobs:
            job.result()
    administer(url, _SEQUENCES, list(projects), list(sizes))
    for table in (*_TABLES, *_COUNTED, "project"):
        # Autovacuum would do this after some time.
        administer(url, f"VACUUM ANALYZE lamella.{table}")
    administer(url, "DROP SCHEMA beside CASCADE")
    administer(url, "CHECKPOINT")


def _portions(projects: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield groups of projects of equal size, each group small enough for one statement."""
    for size, pairs in groupby(zip(sizes, projects, strict=True), key=lambda pair: pair[0]):
        same = [project for _, project in pairs]
        count = max(_PORTION // size, 1)
        yield from ((size, same[place : place + count]) for place in range(0, len(same), count))


def _statements() -> Iterator[str]:
    for table, columns in _TABLES.items():
        chosen = ", ".join("p.id" if column == "origin" else f"s.{column}" for column in columns)
        yield _SPREAD.format(table=table, columns=", ".join(columns), chosen=chosen)
    for table, (names, counting) in _COUNTED.items():
        yield _COUNT.format(table=table, columns=names, counting=counting)


def _run(url: str, statement: str, values: dict[str, object]) -> None:
    with administering(url) as connection:
        # The trigger of observations finds its tables by the search path.
        connection.execute("SET search_path TO lamella")
        connection.execute(statement.encode(), values)


@contextmanager
def _keys_at_the_end(url: str) -> Iterator[None]:
    """Drop the keys of the large tables, and build them again after the block."""
    keys = administer(url, _KEYS)
    for table, name, _ in keys:
        administer(url, f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    yield
    with administering(url) as connection:
        connection.execute("SET maintenance_work_mem TO '2GB'")
        for table, name, definition in keys:
            connection.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}".encode())


def _require_as_saved(url: str, tenant: str, home: Home) -> None:
    """Save the memories of the smallest project in the ordinary way, and compare the rows.

    Check all other projects with `doctor`.

    Raises:
        SystemExit: The rows differ.
    """
    project, size = home.projects[-1], home.sizes[-1]
    with closing(home.opened()) as storage:
        assert isinstance(storage, PostgresStorage)
        place = Location(key="dir:/bench/saved", name="saved", root=Path("/bench"))
        saved = storage.registry.at(place, now=BEGINNING).id
        for id, at, draft in memories(Language(SEED), size):
            storage.observations(saved).add(draft, id=id, now=at)
        faults = [each for each in storage.diagnosis.findings() if each.severity is Severity.FAULT]
    columns = {name: [each for each in named if each != "origin"] for name, named in _TABLES.items()}
    columns |= {name: [names] for name, (names, _) in _COUNTED.items()}
    for table, named in columns.items():
        asked = _DIFFERENT.format(table=table, columns=", ".join(named))
        ((different,),) = administer(url, asked, *_numbers(url, tenant, [project, saved]))
        if different or faults:
            raise SystemExit(f"{different} rows of {table} are not as saved; doctor says {faults}")
