"""Calls in worker threads, with exceptions turned into results."""

import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar

import anyio
import anyio.to_thread
from mcp_types import CallToolResult, TextContent

from lamella.domain.errors import LamellaError
from lamella.ports.storage.waiting import one_call

FAILURE_TEXT = (
    "Something went wrong inside the memory server; it is still running. Try again, or run: lamella doctor"
)

LATE_TEXT = "The memory server is busy and gave up on this call. Repeat it: nothing is saved twice."

Result = TypeVar("Result")

on_failure: ContextVar[Callable[[BaseException], None]] = ContextVar("on_failure", default=lambda _: None)
"""Callback for exceptions that escape a handler, to count failures. It is called in the worker thread."""

_logger = logging.getLogger(__name__)


PROGRESS_SECONDS = 1.0
"""Time between two progress reports of a running call."""


async def run_guarded(
    call: Callable[[], Result],
    seconds: float | None = None,
    progress: Callable[[float], Awaitable[None]] | None = None,
) -> Result | CallToolResult:
    """Run a synchronous tool handler in a worker thread, and turn any escaping exception into an error result.

    Args:
        call: The handler.
        seconds: Timeout. After it, the client gets an error, but the thread continues. None for no limit.
        progress: Called repeatedly with the seconds since the call began, to report progress to the client.
            None for no reports.

    The client reads the sentence of a `LamellaError`. Any other exception goes to the log with its traceback, and
    the client reads `FAILURE_TEXT`. `SystemExit` and `KeyboardInterrupt` count as failures of the call, too. If
    they escaped from a handler, they would end the server, or stop it from answering.

    A call cancelled before its start doesn't start, so that a flood of cancelled calls starts no threads. A call
    cancelled later is abandoned: its thread runs to the end, and the result is dropped. If the server waited for
    such threads, it could not stop before the slowest call ends.
    """

    def guarded() -> Result | CallToolResult:
        try:
            with one_call():
                return call()
        except LamellaError as error:
            on_failure.get()(error)
            return error_result(str(error))
        except BaseException as error:
            on_failure.get()(error)
            _logger.exception("A tool handler failed")
            return error_result(FAILURE_TEXT)

    with anyio.move_on_after(seconds):
        if progress is None:
            return await anyio.to_thread.run_sync(guarded, abandon_on_cancel=True)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_report, progress)
            result = await anyio.to_thread.run_sync(guarded, abandon_on_cancel=True)
            tasks.cancel_scope.cancel()
        return result
    return error_result(LATE_TEXT)


async def _report(progress: Callable[[float], Awaitable[None]]) -> None:
    began = anyio.current_time()
    while True:
        await anyio.sleep(PROGRESS_SECONDS)
        await progress(round(anyio.current_time() - began, 1))


def error_result(text: str) -> CallToolResult:
    """Return the result of a failed call."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
