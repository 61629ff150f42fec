"""SQLite storage with FTS5, on APSW."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lamella_adapters.sqlite.storage import SqliteStorage


def open_storage(location: str, data_directory: "Path") -> "SqliteStorage":
    """Open the storage in the folder that `location` names.

    Args:
        location: The setting `LAMELLA_STORAGE`: `sqlite:///folder`, or `sqlite:` for the data directory.
        data_directory: Folder of the storage for `sqlite:`.

    Raises:
        InvalidValueError: `location` is invalid, or names a relative folder. A relative folder would depend on the
            working directory of each process.
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
