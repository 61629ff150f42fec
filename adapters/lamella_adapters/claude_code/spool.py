"""The captures that hooks have left in `{data directory}/spool`, one file for each.

A file is `{nanoseconds}-{pid}.json`: one JSON object and a line end, without which it is still being written, or
was cut off. `version` says how its fields are to be understood; those of another version stay for a newer lamella.
What was set aside ends with `.aside`. Nothing that is no file of that kind is touched.
"""

import errno
import json
import os
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, field

from lamella.ports.spool import Captured, Spool, SpoolState
from lamella_adapters.claude_code.captures import capture
from lamella_adapters.claude_code.session.record_file import folder_of
from lamella_adapters.claude_code.transcripts.files import opened

VERSION = 1
"""The version of records that is understood."""

_SUFFIX, _ASIDE = ".json", ".aside"
_REASON = ".reason"
_MAX_RECORD_BYTES = 4 * 1024 * 1024
"""A hook writes a hundredth of it; what is larger was not written by one."""

_MAX_TEXT_CHARACTERS = 4096
"""The longest name, path or id."""

_MOST = 2**31
"""More tokens, or milliseconds, than this are none."""

_SETTLED_NANOSECONDS = 2 * 10**9
"""After so long a folder that changes would show another time; before, its clock may not have moved on."""


def open_spool(data_directory: Path) -> "ClaudeCodeSpool":
    """The spool of a data directory, whether it is there or not."""
    return ClaudeCodeSpool(data_directory)


class _UnreadableError(Exception):
    """A record is none of ours, or broken."""


class _UnfinishedError(Exception):
    """The end of a record is missing."""


class _NewerError(Exception):
    """A record is of a version that is not understood."""


@define(eq=False)
class ClaudeCodeSpool(Spool):
    """Reads what the hooks of Claude Code have written below a data directory."""

    data_directory: Path
    _looked_at: int | None = None
    _newer: set[str] = field(factory=set)
    """The names of records that are not to be read again: they stay as they are."""

    @property
    def folder(self) -> Path:
        """Where the records are."""
        return self.data_directory / "spool"

    def news(self) -> bool:
        """See `Spool.news`; one look at the folder's own time."""
        try:
            changed = os.stat(self.folder).st_mtime_ns  # noqa: PTH116 - asked every second: half the cost
        except OSError:
            return False
        recent = abs(time.time_ns() - changed) < _SETTLED_NANOSECONDS
        known, self._looked_at = self._looked_at, changed
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
            except _UnfinishedError:
                continue  # its writer is at work
            except _NewerError:
                self._newer.add(name)
            except _UnreadableError:
                self.set_aside((name,))
            except OSError as error:
                # It is gone, or can't be read now; what never was a file is out of the way.
                if error.errno in (errno.ELOOP, errno.EINVAL):
                    self.set_aside((name,))
        return tuple(found)

    def discard(self, names: Collection[str]) -> None:
        """See `Spool.discard`."""
        for name in names:
            # What can't be deleted is given again, and changes nothing then.
            with suppress(OSError):
                (self.folder / name).unlink()

    def set_aside(self, names: Collection[str]) -> None:
        """See `Spool.set_aside`."""
        for name in names:
            with suppress(OSError):
                (self.folder / name).rename(self.folder / (name + _ASIDE))

    def state(self) -> SpoolState:
        """See `Spool.state`; reads every record."""
        waiting = size = unfinished = newer = unreadable = 0
        oldest: datetime | None = None
        for name in self._names():
            try:
                captured = self._read(name)
                size += (self.folder / name).stat().st_size
            except FileNotFoundError:
                continue
            except _UnfinishedError:
                unfinished += 1
            except _NewerError:
                newer += 1
            except (_UnreadableError, OSError):
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
            hooked=Path(folder_of(os.fspath(self.data_directory))).is_dir(),
        )

    def forget_reason(self, session: str) -> None:
        """See `Spool.forget_reason`."""
        if session.isascii() and session.isprintable() and "/" not in session:
            with suppress(OSError):
                Path(folder_of(os.fspath(self.data_directory)), session + _REASON).unlink()

    def erase(self, session: str) -> int:
        """See `Spool.erase`."""
        self.forget_reason(session)
        erased = 0
        for name in (*self._names(), *self._names(_SUFFIX + _ASIDE)):
            with suppress(OSError):
                if _is_of(session, self._content(name)):
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
        """The record in a file.

        Raises:
            _UnfinishedError: its end is missing.
            _NewerError: it is of another version.
            _UnreadableError: it is no record.
            OSError: it is gone, or not for us.
        """
        content = self._content(name)
        if len(content) > _MAX_RECORD_BYTES:
            raise _UnreadableError
        if not content.endswith(b"\n"):
            raise _UnfinishedError
        try:
            record = json.loads(content)
        except (ValueError, RecursionError):
            raise _UnreadableError from None
        if not isinstance(record, dict):
            raise _UnreadableError
        version = record.get("version")
        if isinstance(version, int) and version > VERSION:
            raise _NewerError
        if version != VERSION:
            raise _UnreadableError
        return _captured(name, record)

    def _content(self, name: str) -> bytes:
        """What is in a file, or as much of it as shows that it is too large.

        Raises:
            OSError: it is gone, no file, or not for us.
        """
        with opened(self.folder / name) as file:
            return file.read(_MAX_RECORD_BYTES + 1)


def _is_of(session: str, content: bytes) -> bool:
    """Whether a record is of a session; of one that can't be read, whether it says so."""
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        said = json.dumps({"session": session})[1:-1].encode()
        return said in content
    return isinstance(record, dict) and record.get("session") == session


def _captured(name: str, record: Mapping[str, Any]) -> Captured:
    """What a record says.

    Raises:
        _UnreadableError: something in it can't be.
    """
    try:
        directory, transcript = _text(record, "directory"), _text(record, "transcript")
        event = _text(record, "event")
        if not directory or not event:
            raise _UnreadableError
        return capture(
            name=name,
            event=event,
            at=_moment(record["at"]),
            directory=_absolute(directory),
            session=_text(record, "session") or None,
            transcript=_absolute(transcript) if transcript else None,
            project=_text(record, "project") or None,
            path=_text(record, "path"),
            hunks=_text(record, "hunks", longest=_MAX_RECORD_BYTES),
            command=_text(record, "command"),
            took=None if (took := _count(record, "took")) is None else timedelta(milliseconds=took),
            reason=_text(record, "reason") or "",
            asked=None if record.get("asked") is None else _moment(record["asked"]),
            injected=_count(record, "injected"),
            skipped=_text(record, "skipped"),
        )
    except (LookupError, TypeError, ValueError, OverflowError, OSError):
        raise _UnreadableError from None


def _moment(seconds: float) -> datetime:
    if isinstance(seconds, bool):
        raise _UnreadableError
    return datetime.fromtimestamp(seconds, UTC)


def _text(record: Mapping[str, Any], key: str, *, longest: int = _MAX_TEXT_CHARACTERS) -> str | None:
    value = record.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > longest:
        raise _UnreadableError
    return value


def _count(record: Mapping[str, Any], key: str) -> int | None:
    value = record.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST):
        raise _UnreadableError
    return value


def _absolute(path: str) -> Path:
    if "\0" in path or not path.startswith("/"):
        raise _UnreadableError
    return Path(path)
