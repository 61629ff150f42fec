"""A connection that waits for the server only so long."""

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
"""Seconds after which a call gives up. The server gives up a statement or a lock earlier."""

_MIGRATION_SECONDS = 3600
"""The same while this process makes or upgrades the schema."""

_LEAST_SECONDS = 1
"""Seconds that a transaction waits that begins late in its call: to connect to a distant server takes a while."""

_T = TypeVar("_T")


class PatientConnection(Connection[Any]):
    """Connection that gives up an answer when the call's time is over, as from a server that is frozen or cut off.

    Attributes:
        deadline: Seconds that a call has.
    """

    deadline: float = DEADLINE

    @classmethod
    def connect(cls, conninfo: str = "", **parameters: Any) -> Self:
        """Connect; see `Connection.connect`. Why it fails is noted."""
        with noting(conninfo):
            return super().connect(conninfo, **parameters)

    def wait(self, gen: PQGen[_T], interval: float = 0.1, timeout: float | None = None) -> _T:
        """Wait for an answer; see `Connection.wait`."""
        try:
            return super().wait(gen, interval, left(self.deadline) if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()
            raise

    @contextmanager
    def patient(self) -> Iterator[None]:
        """Give the statements of the block as long as a large migration takes."""
        self.deadline = _MIGRATION_SECONDS
        try:
            yield
        finally:
            del self.deadline

    @staticmethod
    def check(connection: "PatientConnection") -> None:
        """Raise an error if the server has ended an idle connection, as far as this machine has heard of it.

        Asking the server would take a round trip. One that is there says nothing to a connection that is idle.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            if selector.select(0):
                connection.close()
                raise psycopg.OperationalError


def left(limit: float) -> float:
    """Return what is left of a limit in seconds. All transactions of a call share it."""
    started = call_started.get()
    return limit if started is None else max(limit - time.monotonic() + started, _LEAST_SECONDS)
