"""Reasons for failed connections, as errors with advice.

The pool retries in the background and raises only a timeout, so this module records the error of each attempt. The
driver's messages contain names of hosts and users, so they are replaced by lamella's own.
"""

import math
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from lamella.domain import errors
from lamella.domain.errors import StorageBusyError, StorageError, StorageReadOnlyError, StorageUnreachableError

_KNOWN: tuple[tuple[list[str], StorageError], ...] = tuple(
    (each["said"], getattr(errors, each["error"])(reason=each["reason"], advice=each["advice"]))
    for each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["refusal"]
)
"""Groups of phrases in the driver's messages, and the error for each group. The first matching group counts."""

_PASSING = (StorageBusyError, StorageReadOnlyError, StorageUnreachableError)
"""Temporary errors. All other errors persist until somebody fixes the cause."""

_noted: dict[object, tuple[float, str]] = {}
"""Monotonic time and message of the latest failed attempt, keyed by connection parameters."""
_NEVER = (-math.inf, "")


@contextmanager
def noting(parameters: str) -> Iterator[None]:
    """Record the error of a failed attempt to connect, or clear it after a successful one."""
    try:
        yield
    except psycopg.Error as error:
        _noted[parameters] = time.monotonic(), str(error)
        raise
    _noted.pop(parameters, None)


def lasting(parameters: object, since: float) -> bool:
    """Return True if the latest attempt failed with a permanent error.

    Args:
        parameters: Connection parameters.
        since: Ignore attempts before this time, in seconds of the monotonic clock.
    """
    at, _ = _noted.get(parameters, _NEVER)
    return at >= since and not isinstance(refusal(parameters), _PASSING)


def refusal(parameters: object) -> StorageError:
    """Return the error for the latest failed attempt."""
    _, said = _noted.get(parameters, _NEVER)
    found = (error for texts, error in _KNOWN if any(text in said for text in texts))
    return next(found, StorageUnreachableError())
