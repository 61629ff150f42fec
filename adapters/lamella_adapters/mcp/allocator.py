"""Allocator of the C library, which keeps the memory that SQLite gives back."""

import ctypes

_M_ARENA_MAX = -8
"""`mallopt`'s name for the number of heaps (malloc.h of glibc)."""


def share_one_heap() -> None:
    """Make all threads share the main heap, if the C library is glibc. Call it before any thread starts.

    glibc gives each thread a heap of its own and shrinks it as soon as a query is over, so that the next one
    faults every page in again: a tenth of a recall's time (measured over stdio: `bench/README.md`).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)
