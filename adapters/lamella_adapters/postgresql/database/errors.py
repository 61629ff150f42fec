"""Translation of psycopg's errors into errors of the port."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from lamella.domain.errors import (
    StorageBusyError,
    StorageError,
    StorageFullError,
    StorageReadOnlyError,
    StorageSlowError,
    StorageUnreachableError,
)

_BUSY = (
    errors.LockNotAvailable,
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.TooManyConnections,
)

_LOST = ("08", "57P")
"""SQLSTATE prefixes of a lost server: connection exceptions and shutdowns. PgBouncer uses them too."""


@contextmanager
def translated() -> Iterator[None]:
    """Translate psycopg's exceptions within the block into `StorageError`."""
    try:
        yield
    except _BUSY as error:
        raise busy() from error
    except errors.QueryCanceled as error:
        raise StorageSlowError from error
    except errors.ReadOnlySqlTransaction as error:
        raise StorageReadOnlyError(
            reason="The PostgreSQL server accepts no writes at the moment.",
            advice="Try again after the failover, or name all hosts in LAMELLA_STORAGE, as in"
            " postgresql://user@one,two/database.",
        ) from error
    except errors.DiskFull as error:
        raise StorageFullError(
            reason="The PostgreSQL server's disk is full; nothing was changed.",
            advice="Free space on it, then try again.",
        ) from error
    except (PoolTimeout, errors.IdleInTransactionSessionTimeout) as error:
        raise StorageUnreachableError from error
    except psycopg.OperationalError as error:
        if error.sqlstate is None or error.sqlstate.startswith(_LOST):
            raise StorageUnreachableError from error
        raise _failed(error) from error
    except psycopg.Error as error:
        raise _failed(error) from error


def busy() -> StorageBusyError:
    """Return the error for a call that waited too long for a lock or a connection."""
    return StorageBusyError(
        reason="The PostgreSQL server is busy; nothing was changed.", advice="Try again in a moment."
    )


def _failed(error: psycopg.Error) -> StorageError:
    said = (error.diag.message_primary or type(error).__name__).rstrip(".")
    return StorageError(
        reason=f"The PostgreSQL server refused the statement: {said}; nothing was changed.",
        advice="Check LAMELLA_STORAGE and the rights of its user, or run: lamella doctor",
    )
