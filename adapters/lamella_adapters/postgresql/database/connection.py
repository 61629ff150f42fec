"""Connection with a deadline for the server's answers."""

import selectors
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar

import psycopg
from psycopg import Connection
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

from lamella.ports.storage.waiting import call_started
from lamella_adapters.postgresql.database.refusals import noting

DEADLINE = 15
"""Seconds after which a call gives up. The timeouts of the server for statements and locks are shorter."""

_MIGRATION_SECONDS = 3600
"""Deadline in seconds while this process creates or migrates the schema."""

_LEAST_SECONDS = 1
"""Minimum time in seconds to wait for a connection, even late in a call. A distant server needs a while."""

_T = TypeVar("_T")


class PatientConnection(Connection[Any]):
    """Connection that stops waiting at the call's deadline, even if the server hangs or the network is down.

    Attributes:
        deadline: Seconds from the start of a call to its deadline.
    """

    deadline: float = DEADLINE

    @classmethod
    def connect(cls, conninfo: str = "", **parameters: Any) -> Self:
        """Connect like `Connection.connect`. If that fails, record the error."""
        with noting(conninfo):
            return super().connect(conninfo, **parameters)

    def wait(self, gen: PQGen[_T], interval: float = 0.1, timeout: float | None = None) -> _T:
        """Wait as `Connection.wait` does, but at most until the deadline.

        If a query still runs at the deadline, close the connection.
        """
        try:
            return super().wait(gen, interval, left(self.deadline) if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise

    @contextmanager
    def patient(self) -> Iterator[None]:
        """Extend the deadline within the block, so that large migrations can finish."""
        self.deadline = _MIGRATION_SECONDS
        try:
            yield
        finally:
            del self.deadline

    @staticmethod
    def check(connection: "PatientConnection") -> None:
        """Raise an error if the server has closed an idle connection.

        A query would cost a round trip, so look at the socket. As long as an idle connection is open, the server
        sends nothing, and the socket isn't readable.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            if selector.select(0):
                connection.close()
                raise psycopg.OperationalError


def left(limit: float) -> float:
    """Return the seconds left of `limit`, which all transactions of a call share."""
    started = call_started.get()
    return limit if started is None else max(limit - time.monotonic() + started, _LEAST_SECONDS)
