"""Create, sync and lock the private folders of a data directory, and set files in them aside.

Damaged databases, and logs of deleted databases, are set aside.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from lamella_adapters.process import locks
from lamella_adapters.process.calls import Descriptor
from lamella_adapters.sqlite.file.connection import beside, deadline, failure, translated_sqlite_errors

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600
"""Permissions of folders and files. Only their owner can use them, whatever the umask is."""

RESTORES = DRAFTS, RESTORING = "restoring.draft", "restoring"
"""Names of the folder of a restore, before the restore is committed and after."""


def own_directory(path: Path) -> Path:
    """Create the folder `path` and its parents if needed. Close it to other users. Follow a symbolic link."""
    path.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    status = path.stat()
    if (
        os.name == "posix"
        and status.st_uid == os.geteuid()
        and status.st_mode & 0o777 != DIRECTORY_MODE
        and os.access(path, os.W_OK)
    ):
        path.chmod(DIRECTORY_MODE)
    return path


def own_data_directory(path: Path) -> Path:
    """Create `path` like `own_directory`. In a git repository, add a `.gitignore` that excludes its files."""
    own_directory(path)
    ignoring = path / ".gitignore"
    inside = any(os.path.lexists(above / ".git") for above in path.resolve().parents)
    if inside and not os.path.lexists(ignoring):
        with suppress(FileExistsError):
            new_file(ignoring).write_bytes(b"*\n")
    return path


def is_there(path: Path) -> bool:
    """Return True if something is at `path`.

    Raises:
        StorageError: Permissions don't allow looking at `path`. `Path.exists` would return False in this case.
    """
    with translated_sqlite_errors, suppress(FileNotFoundError):
        path.stat()
        return True
    return False


def new_file(path: Path) -> Path:
    """Create an empty file at `path`, usable by its owner only, and return `path`."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    if os.name == "posix":
        os.fchmod(descriptor, FILE_MODE)  # despite the umask
    os.close(descriptor)
    return path


def sync(path: Path) -> None:
    """Flush the content of a file, or the names in a folder, to disk.

    Skip folders on Windows, which can't open them.
    """
    if os.name == "nt" and path.is_dir():
        return
    with Descriptor(os.open(path, os.O_RDONLY)) as descriptor:
        os.fsync(descriptor)


@contextmanager
def locked(folder: Path, *, seconds: float | None = None) -> Iterator[None]:
    """Lock `folder` within the block. Other processes and threads that lock it wait.

    Raises:
        StorageBusyError: The folder stays locked for `seconds`, or until the `deadline`.
    """
    until = deadline() if seconds is None else time.monotonic() + seconds
    with ExitStack() as stack:
        try:
            stack.enter_context(locks.locked(folder, until=until, pause=0.01))
        except TimeoutError:
            raise failure("busy") from None
        yield


def set_aside(*parts: Path, label: str) -> str:
    """Append a suffix to the names of those `parts` that exist, and return the suffix. Nothing is deleted."""
    suffix = dated_suffix(label)
    for part in parts:
        if part.exists():
            part.rename(part.with_name(part.name + suffix))
    return suffix


def set_log_aside(path: Path) -> None:
    """Set aside the log of a deleted database at `path`. Otherwise, SQLite would replay it into a new database."""
    set_aside(*beside(path), label="left")


def dated_suffix(label: str) -> str:
    """Return a suffix with the current time, for a file to set aside."""
    return f".{label}-{timestamp()}"


def left_behind(path: Path) -> list[Path]:
    """Return the files that were set aside from the database at `path`, or left by a killed process."""
    return sorted(
        found
        for part in (path, *beside(path))
        for label in ("damaged", "left")
        for found in path.parent.glob(f"{part.name}.{label}-*")
    )


def timestamp() -> str:
    """Return the current time as a part of a file name."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
