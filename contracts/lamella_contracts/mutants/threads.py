"""Meeting point for the threads of a clause, to show a fault between threads in every run."""

from threading import Barrier, current_thread, main_thread

from lamella_contracts.clauses.storage.concurrency import THREADS

HANG_SECONDS = 300.0
"""Longest wait for a thread."""


def racing() -> bool:
    """Return True if a clause started the calling thread."""
    return current_thread() is not main_thread()


class Meeting:
    """A barrier for threads started by a clause. The clause itself passes."""

    def __init__(self) -> None:
        self._everyone = Barrier(THREADS)

    def wait(self) -> int:
        """Wait until all threads are here, and return a number of the caller's own from 0 to `THREADS` - 1."""
        return self._everyone.wait(timeout=HANG_SECONDS) if racing() else 0
