"""PostgreSQL storage: memories of several machines in one database, on psycopg."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lamella_adapters.postgresql.storage import PostgresStorage


def open_storage(location: str, data_directory: "Path") -> "PostgresStorage":
    """Open the storage at `postgresql://user@host,host/database`. Nothing is connected before the first call.

    Args:
        location: The setting `LAMELLA_STORAGE`: a URL as PostgreSQL's own programs take it. Of its parameters,
            `tenant` and `schema` are lamella's (`default` and `lamella` where they are left out).
        data_directory: Not used; the server keeps everything.

    Raises:
        InvalidValueError: `location` is no such URL.
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
