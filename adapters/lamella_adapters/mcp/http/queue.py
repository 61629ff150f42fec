"""The queue of calls, in which they wait for their turn."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define, field
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from lamella.domain.access.grant import Grant
from lamella.domain.access.turns import Turns
from lamella_adapters.mcp.server.worker_threads import LATE_TEXT

_AT_ONCE = 2
"""Calls that run at once: one has the processor while the other waits for the storage."""

_KEPT = 6
"""Further ones, of tenants that have none running: together as many as there are connections to a database."""

_WAITING = 1_000
"""Calls that wait at most."""


@define(eq=False)
class CallQueue:
    """Calls of all tenants, of which some run. Used in one thread.

    Attributes:
        seconds: Longest wait of a call.
    """

    seconds: float
    _turns: Turns[asyncio.Event] = field(factory=lambda: Turns(most=_AT_ONCE, kept=_KEPT, longest=_WAITING))

    @asynccontextmanager
    async def turn(self, grant: Grant) -> AsyncIterator[None]:
        """Wait for the turn of a caller, and run the block.

        Raises:
            MCPError: Too many calls of its tenant wait, or it has waited too long.
        """
        caller, begun = (grant.tenant, grant.name), asyncio.Event()
        if not self._turns.wait(*caller, begun):
            raise MCPError(INTERNAL_ERROR, LATE_TEXT)
        self._begin()
        try:
            try:
                async with asyncio.timeout(self.seconds):
                    await begun.wait()
            except TimeoutError:
                raise MCPError(INTERNAL_ERROR, LATE_TEXT) from None
            yield
        finally:
            if begun.is_set():
                self._turns.end(*caller)
                self._begin()
            else:
                self._turns.leave(*caller, begun)

    def _begin(self) -> None:
        while (call := self._turns.begin()) is not None:
            call.set()
