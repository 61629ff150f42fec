"""SQLite storage with FTS5, on APSW."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from lamella_adapters.sqlite.storage import SqliteStorage

__all__ = ["SqliteStorage", "open_storage"]


def open_storage(location: str, data_directory: "Path") -> "SqliteStorage":
    """Storage in the folder of `sqlite:///folder`, or in the data directory for a bare `sqlite:`.

    Raises:
        InvalidValueError: `location` is neither; memories would be kept wherever the process happens to run.
    """
    from pathlib import Path  # noqa: PLC0415 - hooks import a module beside this one, and have no time for these

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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The storage itself, imported when it is first asked for."""
        if name != "SqliteStorage":
            raise AttributeError(name)
        from lamella_adapters.sqlite.storage import SqliteStorage  # noqa: PLC0415 - see above

        return SqliteStorage
