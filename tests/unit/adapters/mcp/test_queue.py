"""The queue of calls over HTTP: who gives up leaves it, and places are never lost."""

import asyncio

import pytest
from mcp.shared.exceptions import MCPError

from lamella.domain.access.grant import Grant
from lamella_adapters.mcp.http.queue import CallQueue

BUSY, QUIET = (Grant(tenant=name, scopes=frozenset(), name="token") for name in ("busy", "quiet"))


def test_calls_that_are_cancelled_or_late_leave_their_places() -> None:
    queue, begun, may_end = CallQueue(seconds=3600), list[str](), asyncio.Event()

    async def call(grant: Grant) -> None:
        async with queue.turn(grant):
            begun.append(grant.tenant)
            await may_end.wait()

    async def late() -> None:
        queue.seconds = 0
        with pytest.raises(MCPError, match="Repeat it"):
            await call(BUSY)
        queue.seconds = 3600

    async def scenario() -> None:
        running = [asyncio.create_task(call(BUSY)) for _ in range(4)]
        await asyncio.sleep(0)
        assert begun == ["busy"] * 2
        await late()
        await until_begun(QUIET)
        running[0].cancel()  # it runs: its place is free
        running[2].cancel()  # it waits: it never begins
        await asyncio.gather(running[0], running[2], return_exceptions=True)
        await asyncio.sleep(0)
        assert begun == ["busy", "busy", "quiet", "busy"]
        may_end.set()
        await asyncio.gather(running[1], running[3])
        await asyncio.gather(*(call(BUSY) for _ in range(5)))

    async def until_begun(grant: Grant) -> None:
        async with queue.turn(grant):
            begun.append(grant.tenant)

    asyncio.run(scenario())
    assert begun[4:] == ["busy"] * 5
