"""The start of a call, from which a storage counts how long it may wait for others."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

call_started: ContextVar[float | None] = ContextVar("call_started", default=None)
"""Reading of the monotonic clock at the start of this call; None outside of any."""


@contextmanager
def one_call() -> Iterator[None]:
    """Treat everything that this thread does in the block as one call, with one limit on what it waits for.

    A driver whose caller waits for an answer opens the block. Without one, each transaction has the whole limit.
    """
    token = call_started.set(time.monotonic())
    try:
        yield
    finally:
        call_started.reset(token)
