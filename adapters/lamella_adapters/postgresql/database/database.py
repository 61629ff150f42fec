"""Connection pool, and transactions on its connections."""

import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from attrs import define, field, frozen
from psycopg import conninfo, sql
from psycopg.types.json import set_json_loads
from psycopg_pool import ConnectionPool, PoolTimeout

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.errors import InvalidValueError, StorageUnreachableError
from lamella_adapters.postgresql.database.connection import DEADLINE, PatientConnection, left
from lamella_adapters.postgresql.database.errors import translated
from lamella_adapters.postgresql.database.refusals import lasting, refusal
from lamella_adapters.postgresql.database.tenant_sizes import KnownSize
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.schema.errors import failure
from lamella_adapters.postgresql.schema.migrate import ROLE, migrate

CONNECTIONS = 8
"""Maximum connections of a process. All its tenants share them."""

_PATIENCE = 5
"""Seconds that a call waits for a lock, or for the pool to connect."""

_QUEUE_SECONDS = DEADLINE - 1
"""Seconds that a call waits for another call to return its connection."""

_ATTEMPT_SECONDS = 0.2
"""Interval in seconds at which a waiting call checks for a permanent connection error."""

_STATEMENT_SECONDS = 12

_IDLE_SECONDS = 4
"""Seconds until the server ends a transaction whose client is silent.

This time is shorter than `_PATIENCE`. Otherwise, calls that wait for the transaction's lock would give up first.
"""

_CONNECTING = {
    "connect_timeout": "2",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""Default connection parameters; the URL can override them."""

_OF_SEVERAL_HOSTS = {"target_session_attrs": "read-write"}
"""Further defaults for URLs with several hosts.

They aren't used for a single host, which may be PgBouncer: it keeps reporting the state of its first server, even
after a failover.
"""

_BEGIN = """BEGIN ISOLATION LEVEL {level};
SELECT set_config('role', '{role}', true), set_config('lamella.tenant', {tenant}, true),
  set_config('search_path', {schema}, true), set_config('statement_timeout', '{seconds}s', true),
  set_config('lock_timeout', '{patience}ms', true),
  set_config('idle_in_transaction_session_timeout', '{idle}s', true)"""

_EMPTY: Mapping[bytes | str, Callable[[], Any]] = {b"[]": list, b"{}": dict}

# Drop the pool's log, which has the host's address for each failed attempt to connect. Callers get an exception.
_logger = logging.getLogger("psycopg")
_logger.addHandler(logging.NullHandler())
_logger.propagate = False


class Pool(ConnectionPool[PatientConnection]):
    """Connection pool of a process for one schema. All tenants share it.

    Attributes:
        schema: Name of the schema.
        application: `application_name` of the connections, shown to administrators in `pg_stat_activity`.
        lent: Connections in use.
    """

    def __init__(self, url: str, schema: str) -> None:
        self.schema = schema
        self.lent: set[PatientConnection] = set()
        self.application = f"lamella {os.getpid()}"
        given = conninfo.conninfo_to_dict(url)
        several = _OF_SEVERAL_HOSTS if "," in str(given.get("host")) else {}
        named = {**_CONNECTING, **several, "application_name": self.application}
        super().__init__(
            url,
            connection_class=PatientConnection,
            kwargs={
                **{name: value for name, value in named.items() if name not in given},
                "autocommit": True,
                "prepare_threshold": None,
            },
            configure=lambda connection: set_json_loads(_from_json, connection),
            check=PatientConnection.check,
            min_size=0,
            max_size=CONNECTIONS,
            timeout=_PATIENCE,
            reconnect_timeout=_PATIENCE,
            num_workers=2,
            open=False,
        )
        self._making = Lock()
        self._made = False

    @property
    def crowded(self) -> bool:
        """True if the pool has its maximum size, and some connections are in use."""
        return bool(self.lent) and self.get_stats()["pool_size"] == CONNECTIONS

    def make_ready(self) -> None:
        """Open the pool and migrate the schema. Later calls do nothing."""
        with self._making:
            if not self._made:
                self.open()
                connection = self.lend()
                try:
                    migrate(connection, self.schema, connection.patient)
                finally:
                    self.putconn(connection)
                self._made = True

    def define(self, *statements: str) -> None:
        """Run DDL statements as the user of the URL, each in its own transaction, with the long deadline."""
        with translated():
            connection = self.lend()
            try:
                with connection.patient():
                    for each in statements:
                        connection.execute(each.encode())
            finally:
                self.putconn(connection)

    def lend(self) -> PatientConnection:
        """Take a connection from the pool. Fail early on a permanent error, such as a wrong password."""
        if self.crowded:
            # Wait without interruption: a caller that gives up and waits again loses its place in the pool's
            # queue.
            return self.getconn(left(_QUEUE_SECONDS))
        begun = time.monotonic()
        until = begun + _patience()
        while True:
            try:
                # If connections are in use, one may be returned soon. So wait without interruption, to keep the
                # place in the pool's queue. Otherwise, wait only briefly, to look for a permanent error.
                return self.getconn(_patience() if self.lent else min(_ATTEMPT_SECONDS, _patience()))
            except PoolTimeout:
                # Consider attempts to connect from before this call, too, because the pool pauses between
                # attempts.
                if lasting(self.conninfo, begun - _PATIENCE) or time.monotonic() >= until:
                    raise


@define(eq=False)
class Database:
    """Schema as seen by one tenant.

    Attributes:
        pool: Connections to the server.
        tenant: Name of the tenant.
        known: Cached ids of existing projects. An id stays valid, because projects are never removed.
        size: Size of the tenant, if it has a quota.
    """

    pool: Pool
    tenant: str = DEFAULT_TENANT
    known: set[str] = field(factory=set)
    size: KnownSize = field(factory=KnownSize)

    @classmethod
    def at(cls, location: str) -> "Database":
        """Return the database at a URL. Don't connect yet.

        Raises:
            InvalidValueError: `location` isn't a PostgreSQL connection URI.
        """
        parts = urlsplit(location)
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        own = {name: parameters.pop(name) for name in ("tenant", "schema") if parameters.get(name)}
        url = urlunsplit(parts._replace(query=urlencode(parameters)))
        try:
            conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise InvalidValueError(
                name="LAMELLA_STORAGE", given="a text of another form", allowed="postgresql://user@host/database"
            ) from error
        return cls(Pool(url, own.get("schema", "lamella")), own.get("tenant", DEFAULT_TENANT))

    @contextmanager
    def reading(self, project: str | None = None) -> Iterator[Transaction]:
        """Begin a read-only transaction on a project or, for None, on the registry. It reads one snapshot."""
        with self._begun("REPEATABLE READ READ ONLY", project, locked=False) as tx:
            yield tx

    @contextmanager
    def writing(self, project: str | None = None) -> Iterator[Transaction]:
        """Begin a transaction that locks a project or, for None, the registry. Commit at the end of the block."""
        with self._begun("READ COMMITTED", project, locked=True) as tx:
            yield tx

    @contextmanager
    def _begun(self, level: str, project: str | None, *, locked: bool) -> Iterator[Transaction]:
        try:
            with translated():
                self.pool.make_ready()
                connection = self.pool.lend()
        except StorageUnreachableError as error:
            raise failure("busy") if self.pool.crowded else refusal(self.pool.conninfo) from error
        self.pool.lent.add(connection)
        begin = _BEGIN.format(
            level=level,
            role=ROLE,
            tenant=_quoted(self.tenant),
            schema=_quoted(f'"{self.pool.schema}"'),
            seconds=_STATEMENT_SECONDS,
            patience=round(1000 * _patience()),
            idle=_IDLE_SECONDS,
        )
        try:
            tx = Transaction(connection, begin, project, locked, self.size)
            try:
                yield tx
                tx.end()
            except BaseException:
                with suppress(psycopg.Error):
                    tx.abandon()
                raise
        finally:
            self.pool.lent.discard(connection)
            self.pool.putconn(connection)

    def close(self) -> None:
        """Close idle connections now, and connections in use when they are returned."""
        self.pool.close()


def _from_json(stored: bytes | str) -> Any:
    """Parse JSON. Frequent empty values bypass the parser, which spent an eighth of a recall's time on them."""
    empty = _EMPTY.get(stored)
    return json.loads(stored) if empty is None else empty()


def _patience() -> float:
    return left(_PATIENCE)


def _quoted(text: str) -> str:
    return sql.quote(text)


@frozen
class Scope:
    """Project of a database. If the project was merged, its transactions use the target of the merge."""

    id: str
    database: Database

    def reading(self) -> AbstractContextManager[Transaction]:
        """Begin a read-only transaction on the project; see `Database.reading`."""
        return self.database.reading(self.id)

    def writing(self) -> AbstractContextManager[Transaction]:
        """Lock the project for a transaction; see `Database.writing`."""
        return self.database.writing(self.id)
