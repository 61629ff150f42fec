"""Calls over HTTP with PostgreSQL as the storage: round trips, processor time, throughput, and fairness.

Run: `python -m bench.team.over_http [--server URL] [--sizes 30000 1400] [--calls 200]`. The first run on a server
fills a tenant with projects; later runs use it. Prints tables, and writes them into `bench/results`. No figure is
asserted.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bench.support.client import processor_seconds
from bench.support.workload import Language
from bench.tables import Table, command, publish
from bench.team.fairness import fairness
from bench.team.in_postgres import in_postgres
from bench.team.population import places
from bench.team.remote import RemoteClient, environment, serving, token
from bench.team.report import fairness_table
from bench.team.server import server, server_seconds
from bench.team.tap import Tap
from lamella.domain.errors import UnknownProjectError
from lamella_adapters.postgresql import open_storage

_TRACED, _WARM = 20, 20
"""Number of calls whose round trips are counted, and number of warm-up calls before them."""


def main() -> None:
    """Fill projects, call tools, and print a table."""
    parser = command(__doc__)
    parser.add_argument("--server", help="URL of a server; default: a new one")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30_000, 1_400], help="memories of projects")
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--clients", type=int, default=16, help="clients of the measured throughput")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the measured throughput")
    parser.add_argument("--busy", type=int, default=100, help="clients of the tenant beside a quiet one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        with server(options.server, folder / "server") as url:
            tables = asyncio.run(_measured(options, url, folder))
            tables.append(fairness_table(fairness(url, folder, options.busy)))
    publish(options.results / "team-http.md", tables)


async def _measured(options: argparse.Namespace, url: str, folder: Path) -> list[Table]:
    projects = dict(zip(options.sizes, _projects(url, folder, options.sizes), strict=True))
    secret = token(url, folder, _tenant(options.sizes))
    costs = [
        [f"{size:,}", tool, *await _cost(url, folder, (secret, project), tool, options.calls)]
        for size, project in projects.items()
        for tool in ("recall", "save_memory")
    ]
    head = ["memories", "tool", "round trips", "transactions", "p50 ms", "server CPU ms", "database CPU ms"]
    rates = [
        [str(workers), f"{size:,}", *await _rate(url, folder, (secret, project), workers, options)]
        for size, project in projects.items()
        for workers in options.workers
    ]
    return [
        Table(title="A call over HTTP, one client", head=head, rows=costs),
        Table(
            title=f"Recalls over HTTP, {options.clients} clients",
            head=["workers", "memories", "recalls a second", "server CPU ms", "database CPU ms"],
            rows=rates,
        ),
    ]


def _tenant(sizes: list[int]) -> str:
    return f"{sum(sizes)}-in-{len(sizes)}"


def _projects(url: str, folder: Path, sizes: list[int]) -> list[str]:
    """Return the ids of projects with these sizes."""
    location = f"{url}{'&' if '?' in url else '?'}tenant={_tenant(sizes)}"
    with closing(open_storage(location, folder)) as storage:
        try:
            return [storage.registry.named(place.key).id for place in places(len(sizes))]
        except UnknownProjectError:
            return list(in_postgres(url, folder, sizes).projects)


async def _cost(url: str, folder: Path, caller: tuple[str, str], tool: str, calls: int) -> list[str]:
    """Return the table cells for one kind of call: its costs."""
    tap = Tap()
    async with tap.on(url) as tapped, serving(environment(tapped, folder)) as (_, port):
        client = RemoteClient(port, *caller, Language(11))
        await client.call(_WARM, tool)
        tap.answers = tap.transactions = 0
        await client.call(_TRACED, tool)
    async with serving(environment(url, folder)) as (pid, port):
        client = RemoteClient(port, *caller, Language(12))
        await client.call(_WARM, tool)
        client.times.clear()
        begun = _seconds(url, pid)
        await client.call(calls, tool)
        spent = [after - before for after, before in zip(_seconds(url, pid), begun, strict=True)]
    cells = (tap.answers / _TRACED, tap.transactions / _TRACED, statistics.median(client.times))
    return [f"{each:.1f}" for each in (*cells, *(1000 * each / calls for each in spent))]


async def _rate(
    url: str, folder: Path, caller: tuple[str, str], workers: int, options: argparse.Namespace
) -> list[str]:
    """Return the recalls per second of several clients, and the processor time of a recall."""
    async with serving(environment(url, folder), "--workers", str(workers)) as (pid, port):
        clients = [RemoteClient(port, *caller, Language(number)) for number in range(options.clients)]
        await asyncio.gather(*(each.call(5) for each in clients))
        for each in clients:
            each.times.clear()
        begun = _seconds(url, pid)
        tasks = [asyncio.create_task(each.call(sys.maxsize)) for each in clients]
        await asyncio.sleep(options.seconds)
        spent = [after - before for after, before in zip(_seconds(url, pid), begun, strict=True)]
        for task in tasks:
            task.cancel()
    calls = sum(len(each.times) for each in clients)
    return [f"{calls / options.seconds:.0f}", *(f"{1000 * each / calls:.1f}" for each in spent)]


def _seconds(url: str, pid: int) -> tuple[float, float]:
    """Return the processor time of a server with its workers, and of the database."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    return sum(map(processor_seconds, [pid, *map(int, children)])), server_seconds(url) or 0.0


if __name__ == "__main__":
    main()
