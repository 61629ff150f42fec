"""Clock, time zone, randomness and id of the machine."""

import os
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from attrs import frozen

from lamella.domain.errors import StorageError
from lamella.ports.system import Clock, IdSource, Machine
from lamella_adapters.process.calls import Descriptor


class _MachineZone(tzinfo):
    """The time zone of the C library, set by `TZ` or `/etc/localtime`, with daylight saving time.

    This class asks the C library for the offset at each time. So it needs neither the name of the zone nor a
    time-zone database. In contrast, the zone that `datetime.astimezone()` returns has a fixed offset. In summer,
    that zone would show the time of a memory saved in winter an hour off.
    """

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return None if moment is None else _on_the_wall(moment).utcoffset()

    def dst(self, _moment: datetime | None, /) -> timedelta | None:
        # The C library reports whether daylight saving is active, but not its offset.
        return None

    def tzname(self, moment: datetime | None, /) -> str | None:
        return None if moment is None else _on_the_wall(moment).tzname()

    def fromutc(self, moment: datetime, /) -> datetime:
        # Call `fromtimestamp` without a zone: it then sets `fold`, which distinguishes the two 2:30s of an autumn
        # night. Pass whole seconds only, because a float may round the last microsecond.
        seconds = moment.replace(tzinfo=UTC, microsecond=0).timestamp()
        wall = datetime.fromtimestamp(seconds)  # noqa: DTZ006 - naive on purpose; the next lines find its zone
        return wall.replace(microsecond=moment.microsecond, tzinfo=self)


_MACHINE_ZONE: Final = _MachineZone()


def _on_the_wall(moment: datetime) -> datetime:
    """Convert `moment` to the machine's time zone, with the offset at that time."""
    return moment.replace(tzinfo=None).astimezone()


class SystemClock(Clock):
    """Clock and time zone of the machine."""

    def now(self) -> datetime:
        """Return the current time in UTC, as an aware datetime."""
        return datetime.now(UTC)

    def zone(self) -> tzinfo:
        """Return the time zone of the machine, with daylight saving."""
        return _MACHINE_ZONE


class Uuid4Source(IdSource):
    """Source of random ids. The operating system provides the random numbers."""

    def new(self) -> UUID:
        """Return a new UUID, version 4."""
        return uuid4()


_ID = re.compile(r"[0-9a-f]{32}")


@frozen(eq=False, repr=False)
class RecordedMachine(Machine):
    """Machine with a random id, kept in a file that the first process to need the id creates.

    Attributes:
        data_directory: Folder of lamella's files.
    """

    data_directory: Path

    def user(self) -> str | None:
        """See `Machine.user`."""
        try:
            import pwd  # noqa: PLC0415 - missing on Windows

            return pwd.getpwuid(os.geteuid()).pw_name
        except ImportError:
            return os.environ.get("USERNAME")
        except KeyError:
            return None

    def id(self) -> str:
        """See `Machine.id`."""
        path = self.data_directory / "machine-id"
        try:
            return self._known(path) or self._made(path)
        except OSError as error:
            raise StorageError(
                reason=f"The id of this machine cannot be stored: {error.strerror}.",
                advice=f"Make the file {path} readable, and the folder around it writable.",
            ) from error

    def _made(self, path: Path) -> str:
        """Record a new id, unless another process has just recorded one. Return the recorded id."""
        self.data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            with Descriptor(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)) as descriptor:
                os.write(descriptor, f"{uuid4().hex}\n".encode())
                os.fsync(descriptor)
            with suppress(FileExistsError):  # unlike a rename, a link never replaces an existing file
                os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        return self._known(path) or ""

    def _known(self, path: Path) -> str | None:
        """Return the recorded id; None if there is no file.

        Raises:
            StorageError: The file's content isn't an id.
        """
        try:
            text = path.read_text("ascii", errors="replace").strip()
        except FileNotFoundError:
            return None
        if not _ID.fullmatch(text):
            raise StorageError(
                reason=f"{path} does not contain the id of this machine.",
                advice="Restore the file. If you delete it, this machine counts as a new machine.",
            )
        return text
