"""Work of the server's threads: drain captures, embed memories, tidy indexes."""

import logging
import time
from collections.abc import Callable, Sequence
from threading import Event, Thread

from attrs import define, field

from lamella.container import Lamella
from lamella.domain.errors import LamellaError
from lamella.ports.spool import Spool

LOOKS_EVERY_SECONDS = 1.0

Pause = Callable[[float], bool]
"""Waits so many seconds, or until serving ends; whether it does."""

_logger = logging.getLogger(__name__)


@define(eq=False)
class Background:
    """Has every one of `jobs` look for work again and again, from the beginning of serving to its end.

    Between the steps of a long work a job pauses as long again as the step took: that time belongs to whoever is
    being served meanwhile.
    """

    jobs: Sequence[Callable[[Pause], None]]
    _closed: Event = field(factory=Event)

    def start(self) -> None:
        """Looks every second, first when the server had time to start."""
        Thread(target=self._work, name="lamella-background", daemon=True).start()

    def close(self) -> None:
        """Has it stop after its step; nobody waits for it."""
        self._closed.set()

    def _work(self) -> None:
        while not self._closed.wait(LOOKS_EVERY_SECONDS):
            for job in self.jobs:
                try:
                    job(self._closed.wait)
                except Exception:
                    _logger.exception("What the server does by itself failed")


TRIES_AGAIN_SECONDS = 10.0
"""Pause before captures that could not be stored are tried again."""


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


@define(eq=False)
class Tidying:
    """Has the storage tidied when a second has passed without a call.

    `uses` says how often the use cases were asked for, and `tidy` does a step, and says whether there may be more.
    """

    uses: Callable[[], int]
    tidy: Callable[[], bool]
    _seen: int = 0
    _more: bool = False

    def __call__(self, pause: Pause) -> None:
        """Tidies until all is tidy or a call comes. At the first look after a call it only takes note of that."""
        if self._notes_use():
            return
        while self._more and not self._notes_use():
            begun = time.monotonic()
            self._more = self.tidy()
            if pause(time.monotonic() - begun):
                return

    def _notes_use(self) -> bool:
        uses = self.uses()
        used = uses != self._seen
        self._seen, self._more = uses, self._more or used
        return used
