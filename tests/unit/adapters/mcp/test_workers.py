"""The threads in which calls run."""

import asyncio
from threading import Event, current_thread, main_thread

import pytest

from lamella.ports.storage.waiting import call_started
from lamella_adapters.mcp.server.worker_threads import run_guarded
from tests.waiting import HANG_SECONDS


def test_a_call_that_is_cancelled_goes_on_and_keeps_nobody_waiting() -> None:
    begun, may_end, ended = Event(), Event(), Event()

    def slow() -> None:
        begun.set()
        may_end.wait(HANG_SECONDS)
        ended.set()

    async def cancelled() -> object:
        waiting = asyncio.create_task(run_guarded(slow))
        await run_guarded(lambda: begun.wait(HANG_SECONDS))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not ended.is_set()
        return await run_guarded(current_thread)

    try:
        assert asyncio.run(cancelled()) is not main_thread()
    finally:
        may_end.set()
    assert ended.wait(HANG_SECONDS)


def test_a_call_has_a_start_while_it_runs() -> None:
    assert asyncio.run(run_guarded(call_started.get)) is not None
    assert call_started.get() is None


def test_a_call_that_is_cancelled_before_it_began_is_not_begun() -> None:
    begun = Event()

    async def cancelled() -> None:
        waiting = asyncio.create_task(run_guarded(begun.set))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await run_guarded(lambda: None)

    asyncio.run(cancelled())
    assert not begun.is_set()
