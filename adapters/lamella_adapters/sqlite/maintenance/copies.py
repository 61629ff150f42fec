"""Copies of the projects of a data directory, in the folder `backups` beside their files."""

import shutil
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import apsw
from attrs import define

from lamella.domain.errors import StorageBusyError, StorageError
from lamella.ports.storage.backups import Backups, Copy, Held, Label
from lamella_adapters.sqlite.file import backups, folders, migrate
from lamella_adapters.sqlite.file.connection import beside, connect, failure, fetch, translated_sqlite_errors
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.statements import statements

SQL = statements(__file__)


_LABELS = {each.value: each for each in Label}
_TIME = "%Y%m%dT%H%M%S%f"
_NOTE = "trouble.txt"
_CLOCK_SECONDS = 1.0
"""Maximum time, in seconds, by which the modification time of a file may lag behind the clock."""
_SPARE_BYTES = 64 << 20
"""Bytes that must stay free on the disk after a copy, in addition to room for another copy of the same size."""


@define(eq=False)
class SqliteCopies(Backups):
    """Copies beside the files of projects."""

    registry: SqliteRegistry

    def copies(self) -> tuple[Copy, ...]:
        """See `Backups.copies`."""
        folder = self._folder
        with translated_sqlite_errors:
            found = [copy_at(path) for path in folder.glob("*.db")] if folder.is_dir() else []
        return tuple(sorted((each for each in found if each), key=lambda each: (each.at, each.name)))

    def held(self, copy: Copy) -> Held:
        """See `Backups.held`."""
        return held(Path(copy.place))

    def copy(self, project: str, label: Label) -> Copy | None:
        """See `Backups.copy`."""
        path, folder = self.registry.path_of(project), self._folder
        try:
            with translated_sqlite_errors:
                migrate.require_ours(path)
                if _is_unchanged(path):
                    return None
                _require_room(path, folders.own_directory(folder))
                # Don't wait (`seconds=0`). If another process is making a copy, it is the same copy.
                made = copy_at(backups.back_up(path, label=label.value, verified=True, seconds=0))
                (folder / _NOTE).unlink(missing_ok=True)
                return made
        except StorageBusyError:
            return None
        except StorageError as error:
            with suppress(OSError):
                (folder / _NOTE).write_text(f"{error}\n", "utf-8")
                (folder / _NOTE).chmod(0o600)
            raise

    def drop(self, copies: Sequence[Copy]) -> None:
        """See `Backups.drop`."""
        folder = self._folder
        with translated_sqlite_errors:
            for each in copies:
                (folder / Path(each.name).name).unlink(missing_ok=True)
            if copies:
                folders.sync(folder)

    def trouble(self) -> str | None:
        """See `Backups.trouble`."""
        with suppress(OSError):
            return (self._folder / _NOTE).read_text("utf-8", errors="replace").strip() or None
        return None

    @property
    def _folder(self) -> Path:
        return self.registry.projects_folder / "backups"


def copy_at(path: Path) -> Copy | None:
    """Return the copy at `path`. Return None if the file is gone, or isn't named like a copy."""
    match path.name.split("."):
        case [project, label, time, "db"]:
            with suppress(ValueError, FileNotFoundError):
                return Copy(
                    name=path.name,
                    project=project,
                    label=_LABELS.get(label, Label.OTHER),
                    at=datetime.strptime(time, _TIME).replace(tzinfo=UTC),
                    size=path.stat().st_size,
                    place=str(path),
                )
    return None


def held(path: Path) -> Held:
    """Count the memories and messages in the database at `path`. Its schema may be an older one."""
    with translated_sqlite_errors, closing(connect(path, writable=False)) as connection:
        return held_by(connection)


def held_by(connection: apsw.Connection) -> Held:
    """Count the memories and messages in a database."""
    has_messages = "SELECT 1 FROM sqlite_schema WHERE name = 'message' AND type = 'table'"
    ((memories, messages),) = fetch(
        connection, SQL["held"] if fetch(connection, has_messages) else SQL["held_before_messages"]
    )
    return Held(memories=memories, messages=messages)


def _is_unchanged(path: Path) -> bool:
    """Return True if a copy of the database at `path` isn't needed.

    No copy is needed if the database is unchanged since its latest copy, or has no copy and no content.
    """
    earlier = backups.backups_of(path)
    latest = max(earlier, key=lambda each: each.name.split(".")[-2], default=None)
    if latest is not None and _is_older(path, copy_at(latest)):
        return True
    with closing(connect(path, writable=True)) as connection:
        if latest is None:
            return held_by(connection) == Held()
        # A copy of an older schema may lack one of the tables.
        with closing(connect(latest, writable=False)) as before, suppress(apsw.SQLError):
            return fetch(connection, SQL["state"]) == fetch(before, SQL["state"])
    return False


def _is_older(path: Path, latest: Copy | None) -> bool:
    """Return True if the latest copy began more than a second after the database at `path` was last written."""
    written = path.stat().st_mtime
    with suppress(FileNotFoundError):
        written = max(written, beside(path)[0].stat().st_mtime)
    return latest is not None and written + _CLOCK_SECONDS < latest.at.timestamp()


def _require_room(path: Path, folder: Path) -> None:
    if shutil.disk_usage(folder).free < 2 * path.stat().st_size + _SPARE_BYTES:
        raise failure("no-room")
