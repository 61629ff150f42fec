"""Identity of a database file, which changes when another file takes its place."""

import os
from contextlib import suppress
from pathlib import Path

from attrs import define

from lamella_adapters.sqlite.file.backups import set_log_aside
from lamella_adapters.sqlite.file.connection import beside
from lamella_adapters.sqlite.file.folders import locked

Identity = tuple[int, ...] | None
"""Numbers that differ between two files of the same name; None if there is no file."""


def identity_of(path: str | Path, *, writable: bool) -> Identity:
    """Return the identity of the file at `path`.

    A file that is not `writable` is read without SQLite's locks, so its identity also changes with its contents,
    and when it becomes writable again.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - called twice in a save
    except FileNotFoundError:
        return None
    if writable:
        return status.st_dev, status.st_ino
    written = [status.st_mtime_ns, status.st_size]
    with suppress(FileNotFoundError):
        log = beside(Path(path))[0].stat()
        written += [log.st_mtime_ns, log.st_size]
    return status.st_dev, status.st_ino, *written


@define(eq=False)
class LogOwner:
    """The file that was last opened at `path`, and the write-ahead log that belongs to it."""

    path: Path
    _file: Identity = None
    _log: Identity = None

    def remember(self) -> None:
        """Remember the file that was just opened, and its log."""
        self._file, self._log = identity_of(self.path, writable=True), self._present_log()

    def set_foreign_log_aside(self) -> None:
        """Set the log of the remembered file aside if another file has taken that file's place."""
        if self._file not in (None, identity_of(self.path, writable=True)):
            with locked(self.path.parent):
                if self._present_log() == self._log:
                    set_log_aside(self.path)

    def _present_log(self) -> Identity:
        return identity_of(beside(self.path)[0], writable=True)
