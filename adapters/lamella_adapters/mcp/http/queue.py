"""Queue of calls waiting to run, shared fairly by all tenants."""

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
"""Number of concurrent calls: one uses the processor while another waits for the storage."""

_KEPT = 6
"""Further slots, for tenants without a running call.

`_AT_ONCE` and `_KEPT` together are the size of the database's connection pool.
"""

_WAITING = 1_000
"""Maximum length of the queue."""


@define(eq=False)
class CallQueue:
    """Queue of the calls of all tenants. Not thread-safe: use it in the event loop only.

    Attributes:
        seconds: Maximum wait of a call.
    """

    seconds: float
    _turns: Turns[asyncio.Event] = field(factory=lambda: Turns(most=_AT_ONCE, kept=_KEPT, longest=_WAITING))

    @asynccontextmanager
    async def turn(self, grant: Grant) -> AsyncIterator[None]:
        """Wait in the queue, then run the block.

        Raises:
            MCPError: The tenant's share of the queue is full, or the wait timed out.
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
