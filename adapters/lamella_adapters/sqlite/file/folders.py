"""Folders of a data directory: private, synced, and locked while files in them are replaced."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from lamella_adapters.process import locks
from lamella_adapters.process.calls import Descriptor
from lamella_adapters.sqlite.file.connection import deadline, failure, translated_sqlite_errors

DIRECTORY_MODE, FILE_MODE = 0o700, 0o600
"""Permissions of folders and files: only their owner can use them, regardless of the umask."""

RESTORES = DRAFTS, RESTORING = "restoring.draft", "restoring"
"""Names of the folder of a restore: while it is prepared, and once it is committed."""


def own_directory(path: Path) -> Path:
    """Create `path` and its parents if needed, and close it to other users. Follow a symbolic link."""
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
    """Create `path` like `own_directory`. Inside a git repository, add a `.gitignore` that excludes it."""
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
        StorageError: Permissions don't allow to check it. `Path.exists` would return False.
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
    """Lock `folder` against other processes and threads locking it.

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
