"""Reasons why a connection could not be made, told as errors with advice.

The pool tries again in the background and says only that it took too long. So each attempt that fails is noted.
Messages of the driver name hosts and users, so only our own sentences leave this module.
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
"""Words of the driver in each case, and the error that tells it. The first case that fits counts."""

_PASSING = (StorageBusyError, StorageReadOnlyError, StorageUnreachableError)
"""Errors that may pass by themselves. All others last until somebody changes something."""

_noted: dict[object, tuple[float, str]] = {}
"""Time and message of the latest attempt that failed, by the parameters of the connection."""
_NEVER = (-math.inf, "")


@contextmanager
def noting(parameters: str) -> Iterator[None]:
    """Note why an attempt to connect fails."""
    try:
        yield
    except psycopg.Error as error:
        _noted[parameters] = time.monotonic(), str(error)
        raise
    _noted.pop(parameters, None)


def lasting(parameters: object, since: float) -> bool:
    """Return True if an attempt was refused for a reason that trying again does not change.

    Args:
        parameters: Parameters of the connection.
        since: Time since which the latest attempt failed, of the monotonic clock in seconds.
    """
    at, _ = _noted.get(parameters, _NEVER)
    return at >= since and not isinstance(refusal(parameters), _PASSING)


def refusal(parameters: object) -> StorageError:
    """Return why no connection could be made in time."""
    _, said = _noted.get(parameters, _NEVER)
    found = (error for texts, error in _KNOWN if any(text in said for text in texts))
    return next(found, StorageUnreachableError())
