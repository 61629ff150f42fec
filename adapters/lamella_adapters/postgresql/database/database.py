"""Connections to the server, and the transactions on them."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from attrs import define, field
from psycopg import conninfo, sql
from psycopg_pool import ConnectionPool, PoolTimeout

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.errors import InvalidValueError, StorageUnreachableError
from lamella_adapters.postgresql.database.connection import DEADLINE, PatientConnection, left
from lamella_adapters.postgresql.database.errors import busy, translated
from lamella_adapters.postgresql.database.refusals import lasting, refusal
from lamella_adapters.postgresql.database.tenant_sizes import KnownSize
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.schema.migrate import ROLE, migrate

CONNECTIONS = 8
"""Most connections of one process, whatever number of tenants it serves."""

_PATIENCE = 5
"""Seconds that a call waits for others: for locks, and for a connection that may never come."""

_QUEUE_SECONDS = DEADLINE - 1
"""Seconds that a call waits for one of the connections that others are using."""

_ATTEMPT_SECONDS = 0.2
"""Seconds after which a call looks why it has no connection yet."""

_STATEMENT_SECONDS = 12

_IDLE_SECONDS = 4
"""Seconds after which the server ends a transaction whose client says no more, in time for those who wait."""

_CONNECTING = {
    "connect_timeout": "2",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""Parameters of a connection that the URL does not name."""

_OF_SEVERAL_HOSTS = {"target_session_attrs": "read-write"}
"""The same if it names several hosts. PgBouncer, which has one, says for ever what its first server was."""

_BEGIN = """BEGIN ISOLATION LEVEL {level};
SELECT set_config('role', '{role}', true), set_config('lamella.tenant', {tenant}, true),
  set_config('search_path', {schema}, true), set_config('statement_timeout', '{seconds}s', true),
  set_config('lock_timeout', '{patience}ms', true),
  set_config('idle_in_transaction_session_timeout', '{idle}s', true)"""

# The pool warns of each attempt to connect, with the address. What it means is raised to whoever calls.
_logger = logging.getLogger("psycopg")
_logger.addHandler(logging.NullHandler())
_logger.propagate = False


class Pool(ConnectionPool[PatientConnection]):
    """The connections of a process to one schema of a server. All tenants share them.

    Attributes:
        schema: Name of the schema.
        application: Name of the connections, for whoever looks after the server.
        lent: Connections that calls are using.
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
        """True if there are as many connections as there may be, and calls are using some."""
        return bool(self.lent) and self.get_stats()["pool_size"] == CONNECTIONS

    def make_ready(self) -> None:
        """Open the pool and bring the schema to the present version, at the first call."""
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
        """Run statements that define something one by one, as the user of the URL. They may take long."""
        with translated():
            connection = self.lend()
            try:
                with connection.patient():
                    for each in statements:
                        connection.execute(each.encode())
            finally:
                self.putconn(connection)

    def lend(self) -> PatientConnection:
        """Return a connection, or say at once that there will be none, as with a wrong password."""
        if self.crowded:
            # Whoever waits loses the place by giving up, so it should not be given up early.
            return self.getconn(left(_QUEUE_SECONDS))
        begun = time.monotonic()
        until = begun + _patience()
        while True:
            try:
                # Others may give theirs back, and who waits keeps their place among those who wait.
                return self.getconn(_patience() if self.lent else min(_ATTEMPT_SECONDS, _patience()))
            except PoolTimeout:
                # The pool pauses between attempts, so the latest may be older than the call.
                if lasting(self.conninfo, begun - _PATIENCE) or time.monotonic() >= until:
                    raise


@define(eq=False)
class Database:
    """One schema of a server, as one tenant sees it.

    Attributes:
        pool: Connections to the server.
        tenant: Name of the tenant.
        known: Ids of projects that are known to exist. A project never goes away.
        size: Size of the tenant, if it has a quota.
    """

    pool: Pool
    tenant: str = DEFAULT_TENANT
    known: set[str] = field(factory=set)
    size: KnownSize = field(factory=KnownSize)

    @classmethod
    def at(cls, location: str) -> "Database":
        """Return the database of a URL.

        Raises:
            InvalidValueError: It is none of PostgreSQL, or cannot be understood.
        """
        parts = urlsplit(location)
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
        own = {name: parameters.pop(name) for name in ("tenant", "schema") if parameters.get(name)}
        url = urlunsplit(parts._replace(query=urlencode(parameters)))
        try:
            conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise InvalidValueError(
                name="LAMELLA_STORAGE", given="another text", allowed="postgresql://user@host/database"
            ) from error
        return cls(Pool(url, own.get("schema", "lamella")), own.get("tenant", DEFAULT_TENANT))

    @contextmanager
    def reading(self, project: str | None = None) -> Iterator[Transaction]:
        """Read one state of a project, or of the registry."""
        with self._begun("REPEATABLE READ READ ONLY", project, locked=False) as tx:
            yield tx

    @contextmanager
    def writing(self, project: str | None = None) -> Iterator[Transaction]:
        """Change a project, or the registry, and commit at the end. Others who do the same wait."""
        with self._begun("READ COMMITTED", project, locked=True) as tx:
            yield tx

    @contextmanager
    def _begun(self, level: str, project: str | None, *, locked: bool) -> Iterator[Transaction]:
        try:
            with translated():
                self.pool.make_ready()
                connection = self.pool.lend()
        except StorageUnreachableError as error:
            raise busy() if self.pool.crowded else refusal(self.pool.conninfo) from error
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
        """Close the connections that no other thread is using; those are closed when they are given back."""
        self.pool.close()


def _patience() -> float:
    """Return the seconds that are left to wait for others."""
    return left(_PATIENCE)


def _quoted(text: str) -> str:
    return sql.quote(text)
