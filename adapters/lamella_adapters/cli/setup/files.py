"""Configuration files of other programs: read, checked for later changes, and replaced atomically."""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen

from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.process.calls import Descriptor, posix
from lamella_adapters.process.files import drafted

BACKUP = ".before-lamella"
"""Suffix of the copy beside a file."""

_MAX_BYTES = 8 * 1024 * 1024
_READ = os.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK


@frozen
class FileSnapshot:
    """A file's state when it was read.

    Attributes:
        path: Path of the file, with symbolic links resolved.
        content: Content of the file; None for a missing file.
        mode: Permissions of the file.
    """

    path: Path
    content: bytes | None
    mode: int = 0o600

    @property
    def text(self) -> str | None:
        """The content as text.

        Raises:
            UnfitFileError: The content isn't UTF-8 text.
        """
        try:
            return None if self.content is None else self.content.decode()
        except UnicodeDecodeError:
            raise UnfitFileError("it is not UTF-8") from None

    @property
    def backup(self) -> Path:
        """Path of the copy beside the file."""
        return self.path.with_name(self.path.name + BACKUP)


def read(path: Path) -> FileSnapshot:
    """Read a file of the user, which needn't exist.

    Symbolic links to the user's own files and folders are followed, because people keep configurations in a
    separate repository.

    Raises:
        UnfitFileError: The file can't be read, or belongs to another user.
    """
    path = Path(os.path.realpath(path))
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        _must_be_ours(folder.stat(), folder)
        with os.fdopen(os.open(path, _READ), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnfitFileError("it is not a regular file")
            _must_be_ours(status, path)
            content = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return FileSnapshot(path, None)
    except OSError as error:
        raise UnfitFileError(f"it cannot be read: {error.strerror}") from None
    if len(content) > _MAX_BYTES:
        raise UnfitFileError("it is too large for a configuration")
    return FileSnapshot(path, content, stat.S_IMODE(status.st_mode))


def replace(found: FileSnapshot, content: bytes | None, *, keep: bool = False) -> None:
    """Replace the content of a file atomically, or delete the file if `content` is None.

    Args:
        found: The file as read. If it has changed, nothing happens.
        content: New content of the file.
        keep: True to keep a copy of the former content, readable only by its owner.

    Raises:
        UnfitFileError: The file has changed since it was read, or can't be written.
    """
    try:
        found.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(found.path.parent) as folder:
            if read(found.path).content != found.content:
                raise UnfitFileError("it was changed meanwhile; try again")
            if keep and found.content is not None:
                _write(folder, found.backup.name, found.content, found.mode & 0o600)
            if content is None:
                os.unlink(found.path.name, dir_fd=folder)
            else:
                _write(folder, found.path.name, content, found.mode)
    except OSError as error:
        raise UnfitFileError(f"it cannot be written: {error.strerror}") from None


def note_missing(folder: Path, record: Path) -> None:
    """Record that setup creates a folder and its missing parents. Existing folders are not recorded."""
    missing = list[str]()
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    if missing:
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _note([*_noted(record), *missing], record)


def remove_made(record: Path) -> None:
    """Remove the recorded folders that are empty. The others stay in the record."""
    left = list[str]()
    for each in sorted(_noted(record), key=len, reverse=True):
        try:
            Path(each).rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            left.append(each)
    _note(left, record)


def _noted(record: Path) -> list[str]:
    with suppress(OSError, ValueError):
        noted = json.loads(record.read_text("utf-8"))
        return [each for each in noted if isinstance(each, str)] if isinstance(noted, list) else []
    return []


def _note(folders: list[str], record: Path) -> None:
    if folders:
        record.write_text(json.dumps([*dict.fromkeys(folders)]), encoding="utf-8")
        record.chmod(0o600)
    else:
        record.unlink(missing_ok=True)


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder by descriptor, so that writes reach it even if its path leads elsewhere later."""
    with Descriptor(os.open(folder, os.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)) as descriptor:
        _must_be_ours(os.fstat(descriptor), folder)
        yield descriptor


def _write(folder: int, name: str, content: bytes, mode: int) -> None:
    with drafted(f".{name}.", content, folder=folder, mode=0o600) as draft:
        os.chmod(draft, mode, dir_fd=folder)
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)


def _must_be_ours(status: os.stat_result, path: Path) -> None:
    if status.st_uid != os.geteuid():
        raise UnfitFileError(f"{path} belongs to another user")
