"""Storing what hooks have captured while the server serves."""

import time
from collections.abc import Callable

from attrs import define

from lamella.container import Lamella
from lamella.domain.errors import LamellaError
from lamella.ports.spool import Spool
from lamella_adapters.mcp.background import Pause

TRIES_AGAIN_SECONDS = 10.0
"""How long what could not be stored waits."""


@define(eq=False)
class Draining:
    """Has a spool emptied.

    `open_spool` gives the spool; the client waits for the server, not for that. `use` gives the use cases, or
    raises why there are none; it is not asked before there is something to store.
    """

    open_spool: Callable[[], Spool]
    use: Callable[[], Lamella]
    _spool: Spool | None = None
    _try_again_at: float = 0.0
    """As `time.monotonic` counts; 0 where nothing is left."""

    def __call__(self, pause: Pause) -> None:
        """Stores what waits, unless it could not be stored a moment ago."""
        if self._spool is None:
            self._spool = self.open_spool()
        if self._try_again_at:
            waits = time.monotonic() >= self._try_again_at
        else:
            # Where nothing waits, storage is not opened.
            waits = self._spool.news() and bool(self._spool.waiting(limit=1))
        if waits:
            self._try_again_at = time.monotonic() + TRIES_AGAIN_SECONDS
            if not self._drain(pause):
                self._try_again_at = 0.0

    def _drain(self, pause: Pause) -> bool:
        """Stores what waits; whether something could not be stored."""
        left = False
        try:
            begun = time.monotonic()
            for account in self.use().drain():
                left = account.left > 0
                if pause(time.monotonic() - begun):
                    return False
                begun = time.monotonic()
        except LamellaError:
            return True  # the next call of a tool says what is wrong
        return left
