"""The start of a call, as the start of a storage's time limit for waiting."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

call_started: ContextVar[float | None] = ContextVar("call_started", default=None)
"""Reading of the monotonic clock at the start of this call; None outside of calls."""


@contextmanager
def one_call() -> Iterator[None]:
    """Treat everything in the block as one call of this thread, with one time limit for waiting.

    Drivers with waiting callers open this block. Without it, each transaction has the whole limit.
    """
    token = call_started.set(time.monotonic())
    try:
        yield
    finally:
        call_started.reset(token)
