"""What keeps a tool's failure inside its call."""

import logging
from collections.abc import Callable
from typing import TypeVar

from mcp_types import CallToolResult, TextContent

from lamella_adapters.mcp.workers import Workers

FAILURE_TEXT = (
    "Something went wrong inside the memory server; it is still running. Try again, or run: lamella doctor"
)

Result = TypeVar("Result")

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
