"""Setting of the C library's allocator: keep memory freed by SQLite for the next query."""

import ctypes

_M_ARENA_MAX = -8
"""`mallopt`'s name for the number of heaps (malloc.h of glibc)."""


def share_one_heap() -> None:
    """Make all threads share the main heap, if the C library is glibc. Call this before any thread starts.

    By default, glibc gives each thread a heap, and shrinks the heap at the end of a query. The next query must
    then load every page again, which costs a tenth of a recall's time (measured over stdio: `bench/README.md`).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)
