"""Run calls in worker threads, and turn what they raise into results."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

import anyio.lowlevel
from attrs import define, field
from mcp_types import CallToolResult, TextContent

MOST_IDLE = 4
"""Most threads that wait for further calls; those of a burst end with it."""

Result = TypeVar("Result")

_Job = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]


@define(eq=False)
class Workers:
    """A pool of as many threads as there are calls at once.

    A call through `anyio.to_thread`, which does more than is needed here, takes about twice as long to get there.
    """

    _jobs: SimpleQueue[_Job] = field(factory=SimpleQueue)
    _idle: int = 0
    _lock: Lock = field(factory=Lock)

    async def run(self, call: Callable[[], Result]) -> Result:
        """Return what `call` returns. It must not raise. A cancelled one goes on; its result is dropped."""
        # A call that its client has taken back meanwhile is not begun, so that a flood of such starts no threads.
        await anyio.lowlevel.checkpoint()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Result] = loop.create_future()
        with self._lock:
            starts = self._idle == 0
            if not starts:
                self._idle -= 1
        if starts:
            Thread(target=self._work, name="lamella-worker", daemon=True).start()
        self._jobs.put((call, loop, answer))
        return await answer

    def _work(self) -> None:
        waits = True
        while waits:
            call, loop, answer = self._jobs.get()
            result = call()
            with self._lock:
                waits = self._idle < MOST_IDLE
                self._idle += waits
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_settle, answer, result)
            del call, answer, result  # nothing of a call is kept while waiting for the next


def _settle(answer: "asyncio.Future[Result]", result: Result) -> None:
    if not answer.done():
        answer.set_result(result)


FAILURE_TEXT = (
    "Something went wrong inside the memory server; it is still running. Try again, or run: lamella doctor"
)


_logger = logging.getLogger(__name__)
_workers = Workers()


async def run_guarded(call: Callable[[], Result]) -> Result | CallToolResult:
    """Runs a synchronous tool handler in a worker thread, and turns whatever escapes it into an error result.

    `SystemExit` and `KeyboardInterrupt` are failures of the call too: raised in a handler, they would end
    the server or leave it mute. What escapes goes to the log with its traceback, and the client reads
    `FAILURE_TEXT`.

    A cancelled call is abandoned: nobody waits for its thread, which runs to its end and whose result is
    dropped. Else the server could not stop before its slowest call.
    """

    def guarded() -> Result | CallToolResult:
        try:
            return call()
        except BaseException:
            _logger.exception("A tool handler failed")
            return CallToolResult(content=[TextContent(type="text", text=FAILURE_TEXT)], is_error=True)

    return await _workers.run(guarded)
