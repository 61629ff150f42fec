"""Translation of psycopg's errors into errors of the port."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from lamella.domain.errors import StorageError, StorageSlowError, StorageUnreachableError
from lamella_adapters.postgresql.schema.errors import failure

_BUSY = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure, errors.TooManyConnections)

_LOST = ("08", "57P")
"""SQLSTATE prefixes of a lost server: connection exceptions and shutdowns. PgBouncer uses them too."""


@contextmanager
def translated() -> Iterator[None]:
    """Translate psycopg's exceptions within the block into `StorageError`."""
    try:
        yield
    except _BUSY as error:
        raise failure("busy") from error
    except errors.QueryCanceled as error:
        raise StorageSlowError from error
    except errors.ReadOnlySqlTransaction as error:
        raise failure("read-only") from error
    except errors.DiskFull as error:
        raise failure("full") from error
    except (PoolTimeout, errors.IdleInTransactionSessionTimeout) as error:
        raise StorageUnreachableError from error
    except psycopg.OperationalError as error:
        if error.sqlstate is None or error.sqlstate.startswith(_LOST):
            raise StorageUnreachableError from error
        raise _failed(error) from error
    except psycopg.Error as error:
        raise _failed(error) from error


def _failed(error: psycopg.Error) -> StorageError:
    said = (error.diag.message_primary or type(error).__name__).rstrip(".")
    return failure("refused", said=said)
