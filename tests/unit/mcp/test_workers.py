"""The threads in which calls run."""

import asyncio
import threading
import time
import weakref
from collections.abc import Callable
from threading import Barrier, Event, current_thread

import pytest

from lamella_adapters.mcp.server.worker_threads import MOST_IDLE, Workers

_DEADLINE_SECONDS = 20.0


def together(count: int) -> Callable[[], str]:
    """A call that returns, with the name of its thread, when `count` of it are at work."""
    barrier = Barrier(count)

    def call() -> str:
        barrier.wait(_DEADLINE_SECONDS)
        return str(current_thread().ident)

    return call


async def many(workers: Workers, count: int) -> set[str]:
    call = together(count)
    return set(await asyncio.gather(*(workers.run(call) for _ in range(count))))


def test_calls_that_come_together_run_together() -> None:
    assert len(asyncio.run(many(Workers(), 50))) == 50


def test_a_thread_serves_one_call_after_another() -> None:
    workers = Workers()

    async def three() -> list[int]:
        return [await workers.run(threading.get_ident) for _ in range(3)]

    before = threading.active_count()
    used = asyncio.run(three())
    assert threading.get_ident() not in used
    assert threading.active_count() == before + 1


def test_the_threads_of_a_burst_end_with_it() -> None:
    before = threading.active_count()
    asyncio.run(many(Workers(), 30))
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while threading.active_count() > before + MOST_IDLE and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before + MOST_IDLE


def test_a_call_that_nobody_waits_for_goes_on_and_keeps_nobody_waiting() -> None:
    workers, begun, may_end, ended = Workers(), Event(), Event(), Event()

    def slow() -> None:
        begun.set()
        may_end.wait(_DEADLINE_SECONDS)
        ended.set()

    failures: list[object] = []

    async def cancelled() -> str:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        waiting = asyncio.create_task(workers.run(slow))
        await workers.run(lambda: begun.wait(_DEADLINE_SECONDS))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        answer = await workers.run(lambda: "meanwhile")
        may_end.set()
        await workers.run(lambda: ended.wait(_DEADLINE_SECONDS))
        await asyncio.sleep(0.1)  # its thread gives back what nobody waits for
        return answer

    assert asyncio.run(cancelled()) == "meanwhile"
    assert ended.is_set()
    assert failures == []


def test_a_call_that_outlives_the_loop_is_no_error() -> None:
    workers, may_end = Workers(), Event()

    async def left() -> None:
        begun = Event()

        def slow() -> None:
            begun.set()
            may_end.wait(_DEADLINE_SECONDS)

        task = asyncio.create_task(workers.run(slow))
        await workers.run(lambda: begun.wait(_DEADLINE_SECONDS))
        task.cancel()

    asyncio.run(left())
    may_end.set()
    assert asyncio.run(workers.run(lambda: "next")) == "next"


def test_nothing_of_a_call_is_kept() -> None:
    workers = Workers()

    class Answer:
        pass

    async def lost() -> "weakref.ref[Answer]":
        return weakref.ref(await workers.run(Answer))

    kept = asyncio.run(lost())
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while kept() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert kept() is None
