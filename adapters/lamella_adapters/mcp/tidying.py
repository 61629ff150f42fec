"""Tidying the storage while nobody asks anything of the server."""

import time
from collections.abc import Callable

from attrs import define

from lamella_adapters.mcp.background import Pause


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
