"""Reasons why a connection could not be made, told as errors with advice.

The pool tries again in the background and says only that it took too long. So each attempt that fails is noted.
Messages of the driver name hosts and users, so only our own sentences leave this module.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from lamella.domain.errors import StorageBusyError, StorageError, StorageReadOnlyError, StorageUnreachableError

_USER = "Check the user in LAMELLA_STORAGE, and the password in its passfile or in PGPASSWORD."
_HOST = "Check the host in LAMELLA_STORAGE, and the network."

_KNOWN: tuple[tuple[tuple[str, ...], StorageError], ...] = (
    (
        ("password authentication failed", "no password supplied", "authentication failed"),
        StorageError(reason="The memory server refuses this user or password; nothing was changed.", advice=_USER),
    ),
    (
        ("is not permitted to log in",),
        StorageError(
            reason="This role of the memory server is not for logging in; nothing was changed.",
            advice="Name one that is in LAMELLA_STORAGE, or ask for: ALTER ROLE NAME LOGIN",
        ),
    ),
    (
        ('role "',),
        StorageError(reason="The memory server knows no such user; nothing was changed.", advice=_USER),
    ),
    (
        ("no pg_hba.conf entry", "permission denied for database"),
        StorageError(
            reason="The memory server does not let this user in from here; nothing was changed.",
            advice="Ask for an entry in its pg_hba.conf, or try sslmode=require in LAMELLA_STORAGE.",
        ),
    ),
    (
        ('database "',),
        StorageError(
            reason="The memory server has no such database; nothing was changed.",
            advice="Check the database in LAMELLA_STORAGE, or make it: createdb --encoding UTF8 NAME",
        ),
    ),
    (
        ("session is read-only", "hot standby mode", "could not find a suitable"),
        StorageReadOnlyError(
            reason="No host of the memory server takes changes: those that answer are standbys.",
            advice="Name all hosts in LAMELLA_STORAGE, as in postgresql://user@one,two/database, or try again when"
            " there is a leader.",
        ),
    ),
    (
        ("too many clients", "remaining connection slots", "too many connections"),
        StorageBusyError(
            reason="The memory server has no connection left; nothing was changed.",
            advice="Try again in a moment, put PgBouncer in front, or raise max_connections.",
        ),
    ),
    (
        ("failed to resolve host", "could not translate host name"),
        StorageUnreachableError(
            reason="The memory server's host is not known here; nothing was changed.", advice=_HOST
        ),
    ),
    (
        ("does not support SSL",),
        StorageError(
            reason="The memory server offers no encrypted connection; nothing was changed.",
            advice="Set ssl, ssl_cert_file and ssl_key_file in its postgresql.conf, and look into its log.",
        ),
    ),
    (
        ("root certificate file",),
        StorageError(
            reason="The certificate of the memory server's authority is not here; nothing was changed.",
            advice="Put it into ~/.postgresql/root.crt, or name its file: sslrootcert=FILE in LAMELLA_STORAGE.",
        ),
    ),
    (
        ("does not match host name",),
        StorageError(
            reason="The memory server's certificate is for another host; nothing was changed.",
            advice="Name the host in LAMELLA_STORAGE as its certificate does.",
        ),
    ),
    (
        ("certificate verify failed",),
        StorageError(
            reason="The memory server's certificate is not signed by the authority that is known here, or it has"
            " expired; nothing was changed.",
            advice="Check ~/.postgresql/root.crt, or the file that sslrootcert names.",
        ),
    ),
    (
        ("SSL", "certificate"),
        StorageUnreachableError(
            reason="No encrypted connection to the memory server could be made; nothing was changed.",
            advice="Check sslmode, sslrootcert and the host in LAMELLA_STORAGE.",
        ),
    ),
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
