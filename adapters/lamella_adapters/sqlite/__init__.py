"""SQLite storage with FTS5, on APSW."""

from pathlib import Path

from lamella.domain.errors import InvalidValueError
from lamella_adapters.sqlite.storage import SqliteStorage

__all__ = ["SqliteStorage", "open_storage"]


def open_storage(location: str, data_directory: Path) -> SqliteStorage:
    """Storage in the folder of `sqlite:///folder`, or in the data directory for a bare `sqlite:`.

    Raises:
        InvalidValueError: `location` is neither; memories would be kept wherever the process happens to run.
    """
    if location == "sqlite:":
        return SqliteStorage(data_directory)
    folder = location.removeprefix("sqlite://")
    if folder == location or not folder.startswith("/") or not folder.strip("/"):
        raise InvalidValueError(
            name="LAMELLA_STORAGE", given=repr(location), allowed="sqlite: or sqlite:///absolute/folder"
        )
    return SqliteStorage(Path(folder))
