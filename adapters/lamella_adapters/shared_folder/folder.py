"""A shared folder of a working tree, accessed through its descriptor.

If a symbolic link replaces the folder, the link is not followed.

A file is written in git's own folder, and then moved into the shared folder. If it were written in the working
tree, a commit at the same time could include the unfinished file.
"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path

from attrs import define

from lamella.ports.shared_folder import Share, SharedFolder, UnusableFileError
from lamella_adapters.process.calls import Descriptor, posix
from lamella_adapters.process.files import drafted
from lamella_adapters.shared_folder.record import Record, refusal

_MAX_FILES = 10_000
_MAX_NAMES = 20_000
"""Maximum number of names in the folder to examine, whatever their kind."""

_MAX_FILE_BYTES = 256 * 1024
_MAX_BYTES = 256 * 1024 * 1024
"""Maximum total size of all Markdown files."""

_SUFFIX = ".md"
_DRAFT = ".lamella-"
"""Prefix of an unfinished file's name."""

_FOLDER = os.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC


@define
class OpenFolder(SharedFolder):
    """The folder of a project, while its record is locked."""

    share: Share
    _descriptor: int
    _drafts: int
    _record: Record

    def files(self) -> Mapping[str, str]:
        """See `SharedFolder.files`. Temporary files left by a killed process are deleted."""
        for place in (self._drafts, self._descriptor):
            for name in self._drafts_in(place):
                with suppress(OSError):
                    os.unlink(name, dir_fd=place)
        found, size = {}, 0
        with os.scandir(self._descriptor) as entries:
            for count, entry in enumerate(entries, 1):
                if count > _MAX_NAMES:
                    raise refusal("full", limit=f"{_MAX_NAMES:,} files")
                if _is_shared(entry.name) and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    found[entry.name] = _stamp(status)
                    size += status.st_size
        if len(found) > _MAX_FILES:
            raise refusal("full", limit=f"{_MAX_FILES:,} Markdown files")
        if size > _MAX_BYTES:
            raise refusal("full", limit=f"{_MAX_BYTES // 1024**2} MiB of Markdown")
        return found

    def read(self, name: str) -> tuple[str, str]:
        """See `SharedFolder.read`."""
        try:
            # `O_NONBLOCK`, because opening a FIFO would block otherwise. FIFOs are refused below.
            flags = os.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
            with os.fdopen(os.open(name, flags, dir_fd=self._descriptor), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise UnusableFileError("it is not a regular file")
                read = file.read(_MAX_FILE_BYTES + 1)
        except OSError as error:
            raise UnusableFileError(f"it cannot be read: {error.strerror}") from error
        if len(read) > _MAX_FILE_BYTES:
            raise UnusableFileError(f"it is larger than {_MAX_FILE_BYTES // 1024} KiB")
        try:
            return read.decode(), _stamp(status)
        except UnicodeDecodeError as error:
            raise UnusableFileError("it is not UTF-8") from error

    def write(self, name: str, text: str, *, over: str | None) -> str | None:
        """See `SharedFolder.write`."""
        try:
            try:
                return self._write(name, text, over, self._drafts)
            except OSError:
                # Git's folder may be on another file system, or may not be writable. If so, put the draft into the
                # shared folder.
                return self._write(name, text, over, self._descriptor)
        except OSError as error:
            raise refusal("unwritable", folder=self.share.folder, why=error.strerror) from error

    def _write(self, name: str, text: str, over: str | None, place: int) -> str | None:
        # Unlike lamella's other files, the file isn't private: as a file of the repository, it gets the
        # permissions of the umask.
        with drafted(self._draft, text.encode(), folder=place, mode=0o666) as draft:
            if self._now(name) != over:
                return None
            os.rename(draft, name, src_dir_fd=place, dst_dir_fd=self._descriptor)
            return self._now(name)

    @property
    def _draft(self) -> str:
        """Prefix for the names of this project's temporary files.

        The prefix has the project's id, because all projects of a repository share git's folder.
        """
        return f"{_DRAFT}{self._record.path.stem}-"

    def _drafts_in(self, place: int) -> Sequence[str]:
        with os.scandir(place) as entries:
            return [entry.name for entry in entries if entry.name.startswith(self._draft)]

    def remove(self, name: str, stamp: str) -> bool:
        """See `SharedFolder.remove`."""
        now = self._now(name)
        if now == stamp:
            with suppress(OSError):
                os.unlink(name, dir_fd=self._descriptor)
            now = self._now(name)
        return now is None

    def record(self, share: Share) -> None:
        """See `SharedFolder.record`."""
        self._record.write(share)
        self.share = share

    def _now(self, name: str) -> str | None:
        try:
            return _stamp(os.stat(name, dir_fd=self._descriptor, follow_symlinks=False))
        except OSError:
            return None


@contextmanager
def open_folder(share: Share, record: Record) -> Iterator[OpenFolder]:
    """Open the folder. Create it if it is missing, because git deletes a folder together with its last file.

    Raises:
        SharedFolderError: The working tree is gone, or a part of the path is not a folder.
    """
    with Descriptor(_descriptor(share)) as folder, Descriptor(_drafts(share.root, folder)) as drafts:
        yield OpenFolder(share, folder, drafts, record)


def _drafts(root: Path, folder: int) -> int:
    """Open the folder for temporary files: git's own folder, or the shared folder if that is on another device."""
    git = root / ".git"
    with suppress(OSError, ValueError):
        if git.is_file():
            git = root / git.read_text("utf-8").removeprefix("gitdir:").strip()
        descriptor = os.open(git, _FOLDER)
        if os.fstat(descriptor).st_dev == os.fstat(folder).st_dev:
            return descriptor
        os.close(descriptor)
    return os.dup(folder)


def _descriptor(share: Share) -> int:
    descriptor = -1
    try:
        descriptor = os.open(share.root, _FOLDER)
        for name in share.folder.split("/"):
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=descriptor)
            inner = os.open(name, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
    except OSError as error:
        if descriptor >= 0:
            os.close(descriptor)
        raise refusal("unshared", folder=share.folder, why=error.strerror) from error
    return descriptor


def stamp_of(share: Share) -> str:
    """Return a digest of the names, sizes and times of a folder's files; empty for a missing folder."""
    try:
        with Descriptor(os.open(Path(share.root, share.folder), _FOLDER)) as folder:
            # The folder's own modification time isn't enough: a file may appear in the folder before its text is
            # written.
            stamps = sorted((name, _stamp(status)) for name, status in _shared(folder))
    except OSError:
        return ""
    return sha256(repr(stamps).encode()).hexdigest()


def _shared(descriptor: int) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(descriptor) as entries:
        for entry in islice(entries, _MAX_NAMES):
            if _is_shared(entry.name) and entry.is_file(follow_symlinks=False):
                yield entry.name, entry.stat(follow_symlinks=False)


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _is_shared(name: str) -> bool:
    return name.endswith(_SUFFIX) and not name.startswith(".")
