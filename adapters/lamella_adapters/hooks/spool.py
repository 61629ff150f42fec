"""The spool folder of a data directory, with the captures of hooks.

A capture is a file `{nanoseconds}-{pid}.json` in the folder of its storage; `spool_record` has its format. Files
set aside end with `.aside`. Other files are left alone.
"""

import errno
import os
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from attrs import define, field

from lamella.domain.projects.key import key_to_bytes
from lamella.ports.spool import Captured, Spool, SpoolState
from lamella_adapters.hooks import spool_record
from lamella_adapters.hooks.options import OFF
from lamella_adapters.hooks.paths import make_folders
from lamella_adapters.hooks.session_records import folder_of, replace
from lamella_adapters.process.start import spool_folder
from lamella_adapters.transcripts.files import opened

_SUFFIX, _ASIDE = ".json", ".aside"
_REASON = ".reason"

_SETTLED_NANOSECONDS = 2 * 10**9
"""Minimum age of the folder's modification time to trust it.

The file system's clock is coarse, so a change made shortly afterwards may get the same time.
"""


def open_spool(data_directory: Path, storage: str = "") -> "FileSpool":
    """Return the spool of captures for the storage with the URL `storage`. Its folder need not exist yet."""
    return FileSpool(data_directory, Path(spool_folder(storage, os.fspath(data_directory))))


@define(eq=False)
class FileSpool(Spool):
    """Spool of captures written by hooks below a data directory."""

    data_directory: Path
    folder: Path
    """Folder of the records."""
    _seen_at: int | None = None
    """The folder's modification time at the last call of `news`."""
    _newer: set[str] = field(factory=set)
    """Names of records by a newer lamella. They are not read again."""

    def news(self) -> bool:
        """See `Spool.news`. Only the folder's modification time is read."""
        try:
            changed = os.stat(self.folder).st_mtime_ns  # noqa: PTH116 - half the cost of pathlib; runs every second
        except OSError:
            return False
        recent = abs(time.time_ns() - changed) < _SETTLED_NANOSECONDS
        known, self._seen_at = self._seen_at, changed
        return recent or changed != known

    def waiting(self, *, limit: int, after: str = "") -> tuple[Captured, ...]:
        """See `Spool.waiting`."""
        found: list[Captured] = []
        for name in sorted(self._names()):
            if len(found) == limit:
                break
            if name <= after or name in self._newer:
                continue
            try:
                found.append(self._read(name))
            except spool_record.UnfinishedError:
                continue  # a hook is still writing this file
            except spool_record.NewerError:
                self._newer.add(name)
            except spool_record.UnreadableError:
                self.set_aside((name,))
            except OSError as error:
                # The file was deleted, or can't be read. Set it aside if it is a link or not a regular file.
                if error.errno in (errno.ELOOP, errno.EINVAL):
                    self.set_aside((name,))
        return tuple(found)

    def discard(self, names: Collection[str]) -> None:
        """See `Spool.discard`."""
        for name in names:
            # Ignore the failure: the capture is read again, and storing it twice changes nothing.
            with suppress(OSError):
                (self.folder / name).unlink()

    def set_aside(self, names: Collection[str]) -> None:
        """See `Spool.set_aside`."""
        for name in names:
            with suppress(OSError):
                (self.folder / name).rename(self.folder / (name + _ASIDE))

    def state(self) -> SpoolState:
        """See `Spool.state`. Every record is read."""
        waiting = size = unfinished = newer = unreadable = 0
        oldest: datetime | None = None
        for name in self._names():
            try:
                captured = self._read(name)
                size += (self.folder / name).stat().st_size
            except FileNotFoundError:
                continue
            except spool_record.UnfinishedError:
                unfinished += 1
            except spool_record.NewerError:
                newer += 1
            except (spool_record.UnreadableError, OSError):
                unreadable += 1
            else:
                waiting += 1
                oldest = captured.at if oldest is None else min(oldest, captured.at)
        aside = unreadable + sum(1 for _ in self._names(_SUFFIX + _ASIDE))
        return SpoolState(
            waiting=waiting,
            size=size,
            oldest=oldest,
            unfinished=unfinished,
            newer=newer,
            aside=aside,
            hooked=os.path.isdir(folder_of(os.fspath(self.data_directory))),  # noqa: PTH112 - pathlib raises without permission to look
        )

    def forget_reason(self, session: str) -> None:
        """See `Spool.forget_reason`."""
        if session.isascii() and session.isprintable() and "/" not in session:
            with suppress(OSError):
                Path(folder_of(os.fspath(self.data_directory)), session + _REASON).unlink()

    def silence(self, places: Collection[str]) -> None:
        """See `Spool.silence`. The file with the places is replaced as a whole, or deleted if there are none."""
        path, content = self.data_directory / OFF, b"\0".join(sorted(map(key_to_bytes, places)))
        try:
            known = path.read_bytes()
        except OSError:
            known = b""
        if content == known:
            return
        if not content:
            path.unlink(missing_ok=True)
            return
        make_folders(os.fspath(self.data_directory))  # a storage without files hasn't created the folder
        replace(os.fspath(path), content)

    def erase(self, session: str) -> int:
        """See `Spool.erase`."""
        self.forget_reason(session)
        erased = 0
        for name in (*self._names(), *self._names(_SUFFIX + _ASIDE)):
            with suppress(OSError):
                if spool_record.is_of_session(session, self._content(name)):
                    (self.folder / name).unlink()
                    erased += 1
        return erased

    def _names(self, suffix: str = _SUFFIX) -> Iterator[str]:
        try:
            with os.scandir(self.folder) as entries:
                names = [each.name for each in entries]
        except OSError:
            return iter(())
        return (name for name in names if name.endswith(suffix))

    def _read(self, name: str) -> Captured:
        return spool_record.parse(name, self._content(name))

    def _content(self, name: str) -> bytes:
        """Return at most `MAX_BYTES` + 1 bytes of a file. A file with so many bytes is too large.

        Raises:
            OSError: The file is missing, not a regular file, or must not be read.
        """
        with opened(self.folder / name) as file:
            return file.read(spool_record.MAX_BYTES + 1)
