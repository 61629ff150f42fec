"""The same memories in SQLite and in PostgreSQL: one project is written, and the others are copies of it."""

import time
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
from attrs import frozen

from bench.support.workload import Language, fill, memories
from bench.team.server import administer
from lamella.domain.projects.project import Location
from lamella.domain.search.indexing import CONTEXT_OBSERVATIONS
from lamella.ports.storage.storage import Storage
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.contexts import document
from lamella_adapters.sqlite.storage import SqliteStorage

_SEED = 7
_BATCH = 100
"""Memories of a transaction; the server gives up a statement that takes longer than the adapter allows."""
_COPIED = ("observation", "document", "posting", "term", "index_size")
_COLUMNS = """
SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
WHERE table_schema = 'lamella' AND table_name = %s AND column_name <> 'project'
"""


@frozen(kw_only=True)
class Home:
    """A storage with projects of one size.

    Attributes:
        name: Name of the engine.
        location: URL of a server; None for SQLite.
        folder: Data directory of SQLite.
        projects: Ids of the projects.
        built_in: Seconds that the first project took, and then the copies.
    """

    name: str
    location: str | None
    folder: Path
    projects: Sequence[str]
    built_in: tuple[float, float] = (0.0, 0.0)

    def opened(self) -> Storage:
        """Open the storage."""
        return SqliteStorage(self.folder) if self.location is None else open_storage(self.location, self.folder)


def in_sqlite(folder: Path, projects: int, each: int) -> Home:
    """Return a data directory with so many projects of so many memories each."""
    begun = time.perf_counter()
    with closing(SqliteStorage(folder)) as storage:
        ids = _registered(storage, f"sqlite-{each}", projects)
        fill(storage, ids[0], each, _SEED)
        filled = time.perf_counter()
        paths = [storage.registry.path_of(project) for project in ids]
    with closing(apsw.Connection(str(paths[0]))) as connection:
        for path in paths[1:]:
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            connection.execute("VACUUM INTO ?", (str(path),))
            path.chmod(0o600)
    built = filled - begun, time.perf_counter() - filled
    return Home(name="SQLite", location=None, folder=folder, projects=ids, built_in=built)


def in_postgres(url: str, folder: Path, projects: int, each: int) -> Home:
    """Return so many projects of so many memories each on a server."""
    begun = time.perf_counter()
    location = f"{url}{'&' if '?' in url else '?'}tenant={projects}-of-{each}"
    with closing(open_storage(location, folder)) as storage:
        ids = _registered(storage, f"postgresql-{projects}-{each}", projects)
        _fill(storage, ids[0], each)
    filled = time.perf_counter()
    found = dict(administer(url, "SELECT id, number FROM lamella.project WHERE id = ANY(%s)", ids))
    numbers = [found[id] for id in ids]
    for table in _COPIED:
        ((columns,),) = administer(url, _COLUMNS, table)
        copy = (
            f"INSERT INTO lamella.{table} (project, {columns}) SELECT n.number, {columns} FROM lamella.{table} "  # noqa: S608 - our own names
            "CROSS JOIN unnest(%s::bigint[]) AS n (number) WHERE project = %s"
        )
        for place in range(1, len(numbers), 20):
            administer(url, copy, numbers[place : place + 20], numbers[0])
        # As a server does it by itself, sooner or later.
        administer(url, f"VACUUM ANALYZE lamella.{table}")
    administer(url, "UPDATE lamella.project SET sequence = %s WHERE number = ANY(%s)", each, numbers)
    built = filled - begun, time.perf_counter() - filled
    return Home(name="PostgreSQL", location=location, folder=folder, projects=ids, built_in=built)


def _registered(storage: Storage, name: str, projects: int) -> list[str]:
    places = (Location(key=f"dir:/{name}/{number}", name=name, root=Path("/bench")) for number in range(projects))
    return [storage.registry.at(place, now=datetime.now(UTC)).id for place in places]


def _fill(storage: PostgresStorage, project: str, count: int) -> None:
    """Write the memories that `workload.fill` writes, in large transactions."""
    made = memories(Language(_SEED), count)
    before: dict[str | None, deque[tuple[str, str]]] = defaultdict(lambda: deque(maxlen=CONTEXT_OBSERVATIONS))
    for written in range(0, count, _BATCH):
        some = min(_BATCH, count - written)
        with storage.database.writing(project) as turn:
            ((sequence,),) = turn.rows(observation_rows.NEXT_SEQUENCE, count=some)
            documents = []
            for place in range(some):
                id, at, draft = next(made)
                said = draft.observed(id=id, project=project, sequence=sequence + place, now=at)
                sub = observation_rows.sub_of(said)
                observation_rows.insert(turn, said, fingerprint=id.bytes * 2, request=None, sub=sub)
                previous = before[draft.session]
                documents.append(document(said, sub, list(previous)))
                previous.appendleft((draft.title, draft.content))
            index.add(turn, documents)
