"""MCP over the process's stdin and stdout, and the end of the process when that is over.

The SDK's own `stdio_server` drops lines that it can't read and replies that are due when stdin ends, goes mute
over a lone surrogate, and leaves signals, a killed parent and its own reading thread to the caller; so lamella
hands `Server.run` streams of its own.
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
"""From the wish to stop to the exit that waits for nothing; clients allow about a second before they kill."""

PARENT_CHECK_SECONDS = 1.0

_STOP_SIGNALS = tuple(each for each in signal.Signals if each.name in ("SIGTERM", "SIGINT", "SIGHUP"))

_logger = logging.getLogger(__name__)


def serve_stdio(
    server: Server[Any], *, front: Front | None = None, on_shutdown: Callable[[], None] | None = None
) -> NoReturn:
    """Serve `server` on descriptors 0 and 1, and exit: with 0 when the client is done with it, with 1 on an error.

    Call it in the main thread, outside an event loop. The handlers of `server` run in the event loop; slow ones
    belong into `run_guarded`.

    The client is done at the end of stdin (calls in flight get half a second to answer), at SIGTERM, SIGINT
    and SIGHUP, when stdout has no reader and when the parent process is gone. The process then ends within
    a second, abandoning handlers that still run in worker threads; it exits without waiting for those
    threads, so no `atexit` function and no `finally` of a caller runs.

    Meanwhile descriptor 0 is the null device and descriptor 1 is stderr for everyone else, child processes
    included, so that a stray `print` can't garble the protocol.

    Args:
        server: The server.
        front: Thread that has claimed the descriptors and answered so far.
        on_shutdown: Called once in the main thread when serving is over, with a fraction of a second to run.
            Abandoned threads may still be at work: it must not touch what they hold, such as a connection in use
            or a lock.
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
        # The loop calls `stop` when it is free; this one runs even while a handler keeps it busy.
        signal.signal(number, lambda *_: arm_last_resort())


async def _stop_with_parent(stop: Callable[[], None]) -> None:
    """Notice a killed client even though stdin stays open, held by another of its children."""
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - the system sends no event for it that is portable
        await anyio.sleep(PARENT_CHECK_SECONDS)
    stop()


def _start_last_resort() -> Callable[[], None]:
    """Start a thread, and return the function after whose call that thread ends the process in a while."""
    # A SimpleQueue may be put to in a signal handler, and the thread is there before anything can fail.
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
    # A regular exit would join the worker threads of abandoned calls.
    os._exit(code)
