"""Copies of a database."""

from contextlib import closing
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file.connection import connect
from lamella_adapters.sqlite.file.folders import locked, new_file, own_directory, sync, timestamp


def back_up(path: Path, *, label: str, verified: bool = False, seconds: float | None = None) -> Path:
    """Copy the committed state of the database at `path` into the folder `backups` beside the database.

    The copy gets its final name when it is complete. Incomplete copies from an interrupted backup are deleted.

    Args:
        path: The database.
        label: Purpose of the copy, as a part of its name.
        verified: True to have SQLite check the whole copy before the copy gets its name.
        seconds: Maximum wait for another process that is making a copy; None to wait up to the `deadline`.

    Returns:
        The path of the copy.

    Raises:
        apsw.CorruptError: The copy is damaged.
    """
    folder = own_directory(path.parent / "backups")
    copy = folder / f"{path.stem}.{label}.{timestamp()}.db"
    draft = folder / f".{copy.name}"
    with locked(folder, seconds=seconds):
        for leftover in folder.glob(f".{path.stem}.*"):
            leftover.unlink()
        new_file(draft)
        try:
            copy_database(path, draft)
            if verified:
                require_sound(draft)
            sync(draft)
            draft.rename(copy)
        finally:
            draft.unlink(missing_ok=True)
    sync(folder)
    return copy


def copy_database(path: Path, to: Path) -> None:
    """Copy the committed state of the database at `path` into the existing file `to`. The copy has no log."""
    with closing(connect(path, writable=True)) as source, closing(apsw.Connection(str(to))) as target:
        with target.backup("main", source, "main") as transfer:
            transfer.step()
        target.execute("PRAGMA journal_mode = DELETE").fetchall()


def require_sound(path: Path) -> None:
    """Have SQLite check a whole database, including its search indexes.

    Raises:
        apsw.CorruptError: The database is damaged.
    """
    with closing(connect(path, writable=False)) as connection:
        found: str = connection.execute("PRAGMA integrity_check(1)").get
    if found != "ok":
        raise apsw.CorruptError(found)


def backups_of(path: Path) -> list[Path]:
    """Return the copies of the database at `path`, oldest first."""
    return sorted((path.parent / "backups").glob(f"{path.stem}.*.db"))
