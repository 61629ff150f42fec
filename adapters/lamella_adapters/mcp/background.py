"""What the server does by itself while it serves, in a thread of its own."""

import logging
from collections.abc import Callable, Sequence
from threading import Event, Thread

from attrs import define, field

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
