"""Cost of a call on PostgreSQL: round trips, bytes, and processor time on both sides."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

from attrs import frozen
from psycopg import Connection
from psycopg.pq import Trace

from bench.support.workload import Language
from bench.team.load import call
from bench.team.population import Home
from bench.team.server import processor_seconds
from lamella.domain.audit.entry import Signature
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.storage import Storage
from lamella_adapters.postgresql.storage import PostgresStorage

_CALLS = 20


@frozen(kw_only=True)
class Cost:
    """Cost of a call. Processor times are means, all further figures are medians.

    Attributes:
        round_trips: Number of answers that the client waits for.
        sent: Bytes to the server.
        received: Bytes from the server.
        wall: Elapsed milliseconds.
        own_cpu: Processor time of the client, in milliseconds.
        server_cpu: Processor time of the server's process, in milliseconds. The total of all calls is measured in
            steps of 10 ms.
    """

    round_trips: float = 0
    sent: float = 0
    received: float = 0
    wall: float
    own_cpu: float
    server_cpu: float = 0


def costs(home: Home) -> dict[str, Cost]:
    """Return the cost of each kind of call in the first project of `home`."""
    with closing(home.opened()) as storage:
        return {name: _cost(storage, make) for name, make in _calls(storage, home.projects[0]).items()}


def _calls(storage: Storage, project: str) -> Mapping[str, Callable[[], object]]:
    language = Language(3)

    def purge() -> None:
        by = Signature(at=datetime.now(UTC), actor="user")
        storage.observations(project).purge([saved.pop()], by=by)

    def save() -> None:
        draft = Draft(content=language.text(80), title=language.text(7), session="cost")
        saved.append(storage.observations(project).add(draft, id=uuid4(), now=datetime.now(UTC)).observation.id)

    saved: list[UUID] = []
    return {"recall, five terms": lambda: call(storage, "recall", project, language), "save": save, "purge": purge}


def _cost(storage: Storage, make: Callable[[], object]) -> Cost:
    make()
    if not isinstance(storage, PostgresStorage):
        wall, own = _timed(make)
        return Cost(wall=wall, own_cpu=own)
    with storage.database.pool.connection() as connection:
        backend = connection.info.backend_pid
    before = _backend_seconds(backend)
    wall, own = _timed(make)
    server = 1000 * (_backend_seconds(backend) - before) / _CALLS
    trips, sent, received = zip(*(_traced(connection, make) for _ in range(_CALLS)), strict=True)
    return Cost(
        round_trips=statistics.median(trips),
        sent=statistics.median(sent),
        received=statistics.median(received),
        wall=wall,
        own_cpu=own,
        server_cpu=server,
    )


def _timed(make: Callable[[], object]) -> tuple[float, float]:
    """Return the median milliseconds of a call, and its mean processor time."""
    walls, cpu = [], time.process_time()
    for _ in range(_CALLS):
        begun = time.perf_counter()
        make()
        walls.append(1000 * (time.perf_counter() - begun))
    return statistics.median(walls), 1000 * (time.process_time() - cpu) / _CALLS


def _backend_seconds(pid: int) -> float:
    return processor_seconds(pid) if Path(f"/proc/{pid}").exists() else 0.0


def _traced(connection: Connection, make: Callable[[], object]) -> tuple[int, int, int]:
    """Return the number of answers that a call waits for, and the bytes in both directions, from libpq's trace."""
    with tempfile.TemporaryFile() as noted:
        connection.pgconn.trace(noted.fileno())
        connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        make()
        connection.pgconn.untrace()
        os.lseek(noted.fileno(), 0, os.SEEK_SET)
        lines = [line.split("\t", 3) for line in noted.read().decode("utf-8", "replace").splitlines()]
    # In the trace, a statement can take several lines.
    first = [line for line in lines if len(line) > 2 and line[0] in {"F", "B"} and line[1].isdecimal()]
    messages = [(way, int(size), name) for way, size, name, *_ in first]
    sizes = {side: sum(size + 1 for way, size, _ in messages if way == side) for side in "FB"}
    return sum(name == "ReadyForQuery" for *_, name in messages), sizes["F"], sizes["B"]
