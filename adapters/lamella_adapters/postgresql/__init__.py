"""PostgreSQL storage, built on psycopg: several machines share one database."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lamella_adapters.postgresql.storage import PostgresStorage


def open_storage(location: str, data_directory: "Path") -> "PostgresStorage":
    """Open the storage at `postgresql://user@host,host/database`. Connect at the first call, not here.

    Args:
        location: The setting `LAMELLA_STORAGE`: a connection URI as libpq accepts it, with two more parameters:
            `tenant` (default: `default`) and `schema` (default: `lamella`).
        data_directory: Unused; the server stores everything.

    Raises:
        InvalidValueError: `location` isn't a PostgreSQL connection URI.
        StorageError: The extra `postgresql` is not installed.
    """
    # ruff: noqa: PLC0415 - imported only when chosen
    from lamella.domain.errors import StorageError
    from lamella_adapters.process.installation import install_command

    del data_directory
    try:
        from lamella_adapters.postgresql.storage import PostgresStorage
    except ImportError as error:
        raise StorageError(
            reason="PostgreSQL support is not installed.",
            advice=f"Install it with: {install_command('postgresql')}",
        ) from error
    return PostgresStorage.at(location)
