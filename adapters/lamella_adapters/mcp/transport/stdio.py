"""Transport of an MCP server over stdin and stdout. It ends the process when the client is done.

lamella passes its own streams to `Server.run`, because the SDK's `stdio_server` has several faults. It drops
unreadable lines. At the end of stdin, it drops replies that aren't written yet. After a lone surrogate, it never
answers again. It handles neither signals nor a killed parent, and its reading thread can keep the process alive.
"""

import asyncio
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import anyio
from mcp.server.lowlevel import Server

from lamella_adapters.mcp.early.front import Front, claim_descriptors
from lamella_adapters.mcp.transport.connection import Connection
from lamella_adapters.mcp.transport.pipes import Inlet, Outlet

LAST_RESORT_SECONDS = 0.8
"""Time from the decision to stop until a forced exit, which waits for no thread.


Clients kill a server after about a second.
"""

PARENT_CHECK_SECONDS = 1.0

_STOP_SIGNALS = tuple(each for each in signal.Signals if each.name in ("SIGTERM", "SIGINT", "SIGHUP"))

_logger = logging.getLogger(__name__)


def serve_stdio(
    server: Server[Any], *, front: Front | None = None, on_shutdown: Callable[[], None] | None = None
) -> NoReturn:
    """Serve `server` on descriptors 0 and 1, and exit: with 0 if the client is done, with 1 on an error.

    Call this in the main thread, outside an event loop. The handlers of `server` run in the event loop. Slow
    handlers belong in `run_guarded`.

    The client is done at the end of stdin (running calls get half a second to answer), at SIGTERM, SIGINT and
    SIGHUP, if stdout has no reader, and if the parent process is gone. The process then ends within a second, and
    abandons handlers in worker threads. The exit doesn't wait for worker threads. Therefore, no `atexit` function
    runs, and no `finally` block of a caller.

    During serving, descriptor 0 is the null device and descriptor 1 is stderr for all other code, including child
    processes, so that a stray `print` can't garble the protocol.

    Args:
        server: The server.
        front: Thread that has claimed the descriptors and answered requests before.
        on_shutdown: Called once in the main thread after serving, with a fraction of a second to run. Abandoned
            threads may still run: the function must not touch a connection in use, a lock or any other object of
            an abandoned thread.
    """
    arm_last_resort = _start_last_resort()
    code = 1
    try:
        asyncio.run(_serve(server, front or Front(*claim_descriptors()), arm_last_resort))
        code = 0
    except BaseException:
        _logger.exception("The server stopped on an error")
    arm_last_resort()
    _end_process(code, on_shutdown)


async def _serve(server: Server[Any], front: Front, arm_last_resort: Callable[[], None]) -> None:
    with anyio.CancelScope() as serving:

        def stop() -> None:
            arm_last_resort()
            serving.cancel()

        _stop_at_signals(stop, arm_last_resort)
        front.finish()
        connection = Connection(
            Inlet(front.incoming),
            lambda on_progress: Outlet(front.outgoing, on_progress=on_progress, on_broken=stop),
            front,
            on_end=arm_last_resort,
        )
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_with_parent, stop)
            await server.run(connection, connection, server.create_initialization_options())
            tasks.cancel_scope.cancel()
    await connection.flush()


def _stop_at_signals(stop: Callable[[], None], arm_last_resort: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in _STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
        # The loop calls `stop` only when it is free. This signal handler runs even while another handler blocks
        # the loop.
        signal.signal(number, lambda *_: arm_last_resort())


async def _stop_with_parent(stop: Callable[[], None]) -> None:
    """Call `stop` when the parent process has ended, even if a sibling process still holds stdin open."""
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - there is no portable event to wait for
        await anyio.sleep(PARENT_CHECK_SECONDS)
    stop()


def _start_last_resort() -> Callable[[], None]:
    """Start a thread, and return a function. `LAST_RESORT_SECONDS` after its call, the thread ends the process."""
    # `SimpleQueue.put` is safe in a signal handler. Start the thread now, because starting it later could fail.
    armed: queue.SimpleQueue[None] = queue.SimpleQueue()

    def wait() -> None:
        armed.get()
        time.sleep(LAST_RESORT_SECONDS)
        os._exit(0)

    threading.Thread(target=wait, name="last resort", daemon=True).start()
    return lambda: armed.put(None)


def _end_process(code: int, on_shutdown: Callable[[], None] | None) -> NoReturn:
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    try:
        if on_shutdown is not None:
            on_shutdown()
    except BaseException:
        _logger.exception("The clean-up failed")
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    # Don't exit regularly: a regular exit would wait for the worker threads of abandoned calls.
    os._exit(code)
