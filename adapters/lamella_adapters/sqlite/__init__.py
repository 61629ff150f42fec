"""SQLite storage with FTS5, on APSW."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lamella_adapters.sqlite.storage import SqliteStorage


def open_storage(location: str, data_directory: "Path") -> "SqliteStorage":
    """Open the storage in the folder of `sqlite:///folder`, or in the data directory for a bare `sqlite:`.

    Args:
        location: The setting `LAMELLA_STORAGE`.
        data_directory: Folder for a bare `sqlite:`.

    Raises:
        InvalidValueError: `location` is invalid, or has a relative folder, which would depend on the process.
    """
    from pathlib import Path  # noqa: PLC0415 - slow imports, and hooks import this package

    from lamella.domain.errors import InvalidValueError  # noqa: PLC0415 - see above
    from lamella_adapters.sqlite.storage import SqliteStorage  # noqa: PLC0415 - see above

    if location == "sqlite:":
        return SqliteStorage(data_directory)
    folder = location.removeprefix("sqlite://")
    if folder == location or not folder.startswith("/") or not folder.strip("/"):
        raise InvalidValueError(
            name="LAMELLA_STORAGE", given=repr(location), allowed="sqlite: or sqlite:///absolute/folder"
        )
    return SqliteStorage(Path(folder))
