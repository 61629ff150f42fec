"""SQLite storage with FTS5, on APSW."""

from pathlib import Path

from lamella_adapters.sqlite.storage import SqliteStorage

__all__ = ["SqliteStorage", "open_storage"]


def open_storage(location: str, data_directory: Path) -> SqliteStorage:
    """Storage in the folder of `sqlite:///folder`, or in the data directory for a bare `sqlite:`."""
    folder = location.removeprefix("sqlite:").removeprefix("//")
    return SqliteStorage(Path(folder) if folder else data_directory)
