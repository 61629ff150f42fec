"""Files of other programs that belong to the user: read, compared with what was shown, and replaced at once."""

import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen

from lamella_adapters.cli.setup.entries import UnfitFileError
from lamella_adapters.process.calls import posix

BACKUP = ".before-lamella"
"""Ends the name of the copy that is kept beside a file."""

_MAX_BYTES = 8 * 1024 * 1024
_READ = os.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK


@frozen
class FileSnapshot:
    """A file as it was read.

    Attributes:
        path: Where it is, behind symbolic links.
        content: What it says, None if it is missing.
        mode: Who may do what with it.
    """

    path: Path
    content: bytes | None
    mode: int = 0o600

    @property
    def text(self) -> str | None:
        """The content as text.

        Raises:
            UnfitFileError: It is no text.
        """
        try:
            return None if self.content is None else self.content.decode()
        except UnicodeDecodeError:
            raise UnfitFileError("it is no UTF-8") from None

    @property
    def backup(self) -> Path:
        """The copy beside it."""
        return self.path.with_name(self.path.name + BACKUP)


def read(path: Path) -> FileSnapshot:
    """Return a file of the user's, or where it would be.

    Symbolic links are followed, as people keep configurations in a repository of their own, but only to the user's
    own files and folders.

    Raises:
        UnfitFileError: It cannot be read, or belongs to somebody else.
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
                raise UnfitFileError("it is no file")
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
    """Give a file another content, at once; None deletes it.

    Args:
        found: The file as it was read. If it is another one now, nothing happens.
        content: What it shall say.
        keep: Keep the former content beside it, for its owner only.

    Raises:
        UnfitFileError: It has changed since, or cannot be written.
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
    """Add a folder and those above it to a record, as far as they are missing and about to be made."""
    missing = list[str]()
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    if missing:
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _note([*_noted(record), *missing], record)


def remove_made(record: Path) -> None:
    """Remove the folders of a record that are empty, and keep the others in it."""
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
    """Open a folder, so that what is written goes there even if its name becomes another's."""
    descriptor = os.open(folder, os.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        _must_be_ours(os.fstat(descriptor), folder)
        yield descriptor
    finally:
        os.close(descriptor)


def _write(folder: int, name: str, content: bytes, mode: int) -> None:
    draft = f".{name}.{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
    try:
        with os.fdopen(os.open(draft, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)


def _must_be_ours(status: os.stat_result, path: Path) -> None:
    if status.st_uid != os.geteuid():
        raise UnfitFileError(f"{path} belongs to another user")
