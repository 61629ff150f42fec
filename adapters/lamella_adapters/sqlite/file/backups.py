"""Copies of a database, and files that were set aside because they are damaged or belong to a deleted database."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file.connection import beside, connect
from lamella_adapters.sqlite.file.folders import locked, new_file, own_directory, sync


def back_up(path: Path, *, label: str) -> Path:
    """Copy the committed state of the database at `path` into the folder `backups` beside it.

    The copy gets its name when it is complete. Drafts that an interrupted backup left behind are deleted.

    Returns:
        The path of the copy.
    """
    folder = own_directory(path.parent / "backups")
    copy = folder / f"{path.stem}.{label}.{_now()}.db"
    draft = folder / f".{copy.name}"
    with locked(folder):
        for leftover in folder.glob(f".{path.stem}.*"):
            leftover.unlink()
        new_file(draft)
        try:
            with closing(connect(path, writable=True)) as source, closing(apsw.Connection(str(draft))) as target:
                with target.backup("main", source, "main") as transfer:
                    transfer.step()
                target.execute("PRAGMA journal_mode = DELETE").fetchall()
            sync(draft)
            draft.rename(copy)
        finally:
            draft.unlink(missing_ok=True)
    sync(folder)
    return copy


def backups_of(path: Path) -> list[Path]:
    """Return the copies of the database at `path`, oldest first."""
    return sorted((path.parent / "backups").glob(f"{path.stem}.*.db"))


def set_aside(*parts: Path, label: str) -> str:
    """Rename the files that exist, and return the suffix that they got. Nothing is deleted."""
    suffix = dated_suffix(label)
    for part in parts:
        if part.exists():
            part.rename(part.with_name(part.name + suffix))
    return suffix


def set_log_aside(path: Path) -> None:
    """Set aside a log that belonged to a deleted database at `path`: SQLite would replay it into the new one."""
    set_aside(*beside(path), label="left")


def dated_suffix(label: str) -> str:
    """Return the suffix for a file that is set aside now."""
    return f".{label}-{_now()}"


def left_behind(path: Path) -> list[Path]:
    """Return the files of the database at `path` that were set aside."""
    return sorted(
        found
        for part in (path, *beside(path))
        for label in ("damaged", "left")
        for found in path.parent.glob(f"{part.name}.{label}-*")
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
