"""Storing what hooks have captured while the server serves, in a thread of its own."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from attrs import define, field

from lamella.container import Lamella
from lamella.domain.errors import LamellaError
from lamella.ports.spool import Spool

LOOKS_EVERY_SECONDS = 1.0

TRIES_AGAIN_SECONDS = 10.0
"""How long what could not be stored waits."""

_logger = logging.getLogger(__name__)


@define(eq=False)
class Draining:
    """Has a spool emptied from the beginning of serving to its end.

    `open_spool` gives the spool; the client waits for the server, not for that. `use` gives the use cases, or
    raises why there are none; it is not asked before there is something to store.
    """

    open_spool: Callable[[], Spool]
    use: Callable[[], Lamella]
    _closed: Event = field(factory=Event)

    def start(self) -> None:
        """Looks every second, first when the server had time to start."""
        Thread(target=self._work, name="lamella-draining", daemon=True).start()

    def close(self) -> None:
        """Has it stop after its step; nobody waits for it."""
        self._closed.set()

    def _work(self) -> None:
        if self._closed.wait(LOOKS_EVERY_SECONDS):
            return
        spool = self.open_spool()
        while not self._closed.is_set():
            # Where nothing waits, storage is not opened.
            left = spool.news() and bool(spool.waiting(limit=1)) and self._drain()
            while left and not self._closed.wait(TRIES_AGAIN_SECONDS):
                left = self._drain()
            self._closed.wait(LOOKS_EVERY_SECONDS)

    def _drain(self) -> bool:
        """Stores what waits; whether something could not be stored."""
        left = False
        try:
            begun = time.monotonic()
            for account in self.use().drain():
                left = account.left > 0
                # As long again as the step took belongs to whoever is being served meanwhile.
                if self._closed.wait(time.monotonic() - begun):
                    return False
                begun = time.monotonic()
        except LamellaError:
            return True  # the next call of a tool says what is wrong
        except Exception:
            _logger.exception("What hooks have captured could not be stored")
            return True
        return left
