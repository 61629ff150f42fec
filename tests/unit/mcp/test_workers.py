"""The threads in which calls run."""

import asyncio
import weakref
from collections.abc import Callable
from threading import Barrier, Event, Thread, current_thread

import pytest

from lamella_adapters.mcp.server import worker_threads as module
from lamella_adapters.mcp.server.worker_threads import MOST_IDLE, Workers
from tests.waiting import HANG_SECONDS, until


def together(count: int) -> Callable[[], Thread]:
    """A call that returns its thread, when `count` of it are at work."""
    barrier = Barrier(count)

    def call() -> Thread:
        barrier.wait(HANG_SECONDS)
        return current_thread()

    return call


async def many(workers: Workers, count: int) -> set[Thread]:
    call = together(count)
    return set(await asyncio.gather(*(workers.run(call) for _ in range(count))))


def test_calls_that_come_together_run_together() -> None:
    assert len(asyncio.run(many(Workers(), 50))) == 50


def test_a_thread_serves_one_call_after_another() -> None:
    workers = Workers()

    async def three() -> list[Thread]:
        return [await workers.run(current_thread) for _ in range(3)]

    used = asyncio.run(three())
    assert used == [used[0]] * 3
    assert used[0] is not current_thread()
    assert used[0].is_alive()


def test_the_threads_of_a_burst_end_with_it() -> None:
    used = asyncio.run(many(Workers(), 30))
    until(lambda: sum(each.is_alive() for each in used) <= MOST_IDLE)
    assert sum(each.is_alive() for each in used) == MOST_IDLE


def test_a_call_that_nobody_waits_for_goes_on_and_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    workers, begun, may_end, ended = Workers(), Event(), Event(), Event()
    given_back: list[bool] = []
    settle = module._settle

    def slow() -> None:
        begun.set()
        may_end.wait(HANG_SECONDS)
        ended.set()

    def settled(answer: "asyncio.Future[object]", result: object) -> None:
        given_back.append(answer.cancelled())
        settle(answer, result)

    monkeypatch.setattr(module, "_settle", settled)
    failures: list[object] = []

    async def cancelled() -> str:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        waiting = asyncio.create_task(workers.run(slow))
        await workers.run(lambda: begun.wait(HANG_SECONDS))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        answer = await workers.run(lambda: "meanwhile")
        assert not ended.is_set()
        may_end.set()
        # Its thread gives back what nobody waits for.
        await workers.run(lambda: until(lambda: True in given_back))
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
            may_end.wait(HANG_SECONDS)

        task = asyncio.create_task(workers.run(slow))
        await workers.run(lambda: begun.wait(HANG_SECONDS))
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
    until(lambda: kept() is None)
