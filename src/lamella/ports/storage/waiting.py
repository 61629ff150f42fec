"""Start time of the current call. A storage limits the total time that a call waits for locks."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

call_started: ContextVar[float | None] = ContextVar("call_started", default=None)
"""Monotonic time in seconds at the start of the current call; None outside of calls."""


@contextmanager
def one_call() -> Iterator[None]:
    """Treat everything in the block as one call of this thread, with one time limit for waiting.

    Drivers use this block if a caller waits for the result. Outside of such a block, each transaction has the
    whole time limit.
    """
    token = call_started.set(time.monotonic())
    try:
        yield
    finally:
        call_started.reset(token)
