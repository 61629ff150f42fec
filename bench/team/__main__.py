"""Comparison of PostgreSQL and SQLite in one run: duration of calls, calls per second, and cost of each call.

Run: `python -m bench.team [--sizes 10000/50 100000/50 1000000/5000] [--one 200000] [--clients 1 16 64 500]`. It
starts a separate PostgreSQL server, which syncs each commit. With `--server URL`, it uses that server, and fills
its schema `lamella`. Prints tables, and writes them into `bench/results`. A million memories take some forty
gigabytes of disk. No figure is asserted.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.tables import Table, command, record
from bench.team.agreement import require_same
from bench.team.cost import costs
from bench.team.fairness import fairness
from bench.team.in_postgres import in_postgres
from bench.team.in_sqlite import in_sqlite
from bench.team.load import worked
from bench.team.population import sizes
from bench.team.report import Setting, crowd_table, fairness_table, tables
from bench.team.server import administer, server
from bench.team.tenants import crowd

_MOST_IN_ONE = 64
"""Maximum number of clients that call a single project simultaneously."""
_WARMING = 16
"""Number of clients that recall and save before the measurement begins."""


def main() -> None:
    """Measure all settings."""
    options = _options()
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        # If this process is root, the server runs as another user, who must be able to read the folder.
        folder.chmod(0o755)
        with server(options.server, folder / "server") as url:
            ((version,),) = administer(url, "SHOW server_version")
            print(f"PostgreSQL {version}")
            found: list[Table] = []
            for table in _measured(options, url, folder):
                table.printed()
                found.append(table)
                # Print results as they come, because a whole run takes hours.
                record(options.results / "team.md", found, f"PostgreSQL {version}")


def _measured(options: argparse.Namespace, url: str, folder: Path) -> Iterator[Table]:
    for memories, projects in options.sizes:
        yield from _setting(options, url, folder, memories, projects)
    if options.tenants:
        yield crowd_table(crowd(url, options.tenants, options.operations))
    if options.busy:
        yield fairness_table(fairness(url, folder, options.busy))


def _setting(options: argparse.Namespace, url: str, folder: Path, memories: int, projects: int) -> Iterator[Table]:
    """Yield the tables of one setting.

    A single large project, if any, has tables of its own. All other projects share their tables.
    """
    one = options.one if options.one < memories else 0
    numbers = sizes(memories, projects, largest=options.largest, one=one)
    homes = (in_sqlite(folder / f"sqlite-{memories}-{projects}", numbers), in_postgres(url, folder, numbers))
    require_same(homes)
    for first, end in ((0, 1), (1, None)) if one else ((0, None),):
        some = [home.some(first, end) for home in homes]
        most = _MOST_IN_ONE if end else max(options.clients)
        for home in some:
            # Warm up: running servers have frequent data in memory.
            worked(home, "recall", _WARMING, options.seconds)
            worked(home, "save", _WARMING, options.seconds)
        costly = [costs(home) for home in some]
        work = [
            (kind, [worked(home, kind, clients, options.seconds) for home in some])
            for kind in ("recall", "save")
            for clients in options.clients
            if clients <= most
        ]
        yield from tables(Setting(homes=some, work=work, costs=costly))


def _options() -> argparse.Namespace:
    parser = command(__doc__)
    parser.add_argument(
        "--sizes",
        type=_size,
        nargs="+",
        default=[(10_000, 50), (100_000, 50), (1_000_000, 5_000)],
        help="numbers of memories and of projects, as 10000/50",
    )
    parser.add_argument("--largest", type=int, default=20_000, help="most memories of a project")
    parser.add_argument("--one", type=int, default=200_000, help="memories of one project among larger numbers")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 16, 64, 500])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each kind of call and number of clients")
    parser.add_argument("--tenants", type=int, default=1_000)
    parser.add_argument("--busy", type=int, default=100, help="clients of the tenant beside a quiet one")
    parser.add_argument("--operations", type=int, default=10_000, help="of all tenants together")
    parser.add_argument("--server", help="URL of a server that is running")
    parser.add_argument("--folder", type=Path, help="where to make what is measured")
    return parser.parse_args()


def _size(given: str) -> tuple[int, int]:
    memories, projects = map(int, given.split("/"))
    return memories, projects


if __name__ == "__main__":
    main()
