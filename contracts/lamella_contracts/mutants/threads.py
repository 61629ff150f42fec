"""Meeting point of the threads of a clause, so that a fault between threads shows in every run."""

from threading import Barrier, current_thread, main_thread

from lamella_contracts.clauses.storage.concurrency import THREADS

HANG_SECONDS = 300.0
"""After this, a thread that is waited for will never come."""


def racing() -> bool:
    """Return True if the caller is one of the threads that a clause starts."""
    return current_thread() is not main_thread()


class Meeting:
    """A barrier for the threads that a clause starts. The clause itself passes."""

    def __init__(self) -> None:
        self._everyone = Barrier(THREADS)

    def wait(self) -> int:
        """Wait until all threads are here, and return a number of the caller's own from 0 to `THREADS` - 1."""
        return self._everyone.wait(timeout=HANG_SECONDS) if racing() else 0
