"""Time limit of the reads of calls: a thread interrupts SQLite when the time of a call is over."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Thread

import apsw
from attrs import define, field

from lamella.ports.storage.waiting import call_started
from lamella_adapters.sqlite.file.connection import deadline

_LEAST_SECONDS = 1.0
"""Limit of a read that begins late in its call, which may have waited for others."""

_TICK_SECONDS = 0.1


@define(eq=False)
class _Interrupter:
    """Interrupts connections at their deadlines.

    Its thread wakes in ticks while there are reads, because waking it for each of them would slow them down.
    """

    _deadlines: dict[apsw.Connection, float] = field(factory=dict)
    _changed: Condition = field(factory=Condition)
    _thread: Thread | None = None
    _idle: bool = False
    _begun: int = 0

    @contextmanager
    def watching(self, connection: apsw.Connection, until: float) -> Iterator[None]:
        """Interrupt what `connection` does in the block after the reading `until` of the monotonic clock."""
        with self._changed:
            self._deadlines[connection] = until
            self._begun += 1
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._watch, name="read limit", daemon=True)
                self._thread.start()
            elif self._idle:
                self._changed.notify()
        try:
            yield
        except apsw.SQLError as error:
            # A virtual table that is interrupted while it is made, such as json_each, "can't be constructed".
            if until <= time.monotonic():
                raise apsw.InterruptError from error
            raise
        finally:
            with self._changed:
                del self._deadlines[connection]

    def _watch(self) -> None:
        with self._changed:
            while True:
                seen, now = self._begun, time.monotonic()
                for connection, until in self._deadlines.items():
                    if until <= now:
                        # Between two statements it has no effect, so it is repeated at the next tick.
                        connection.interrupt()
                self._changed.wait(_TICK_SECONDS)
                if self._begun == seen and not self._deadlines:
                    self._idle = True
                    self._changed.wait()
                    self._idle = False


_interrupter = _Interrupter()


@contextmanager
def limited(connection: apsw.Connection) -> Iterator[None]:
    """Interrupt what this thread reads on `connection` in the block when the time of its call is over.

    Outside of a call, as in an export, there is no limit.
    """
    if call_started.get() is None:
        yield
        return
    with _interrupter.watching(connection, max(deadline(), time.monotonic() + _LEAST_SECONDS)):
        yield
