"""Clock, time zone and randomness of the machine."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from uuid import UUID, uuid4

from attrs import frozen

from lamella.ports.system import Clock, IdSource


@frozen
class _MachineZone(tzinfo):
    """The time zone of the C library, set by `TZ` or `/etc/localtime`, with its daylight saving.

    The zone of one `datetime.astimezone()` has a fixed offset, which would show a winter's memory an hour off in
    summer. This class asks for the offset of each time anew, so it needs neither the name of the zone nor a
    time-zone database.
    """

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return None if moment is None else _on_the_wall(moment).utcoffset()

    def dst(self, moment: datetime | None, /) -> timedelta | None:
        # The C library reports that daylight saving is on, but not its offset.
        del moment
        return None

    def tzname(self, moment: datetime | None, /) -> str | None:
        return None if moment is None else _on_the_wall(moment).tzname()

    def fromutc(self, moment: datetime, /) -> datetime:
        # Without a zone, `fromtimestamp` sets `fold`, which distinguishes the two 2:30s of an autumn night. Only
        # whole seconds are passed, because a float may round the last microsecond.
        seconds = moment.replace(tzinfo=UTC, microsecond=0).timestamp()
        wall = datetime.fromtimestamp(seconds)  # noqa: DTZ006 - naive on purpose; its zone follows
        return wall.replace(microsecond=moment.microsecond, tzinfo=self)


_MACHINE_ZONE: Final = _MachineZone()


def _on_the_wall(moment: datetime) -> datetime:
    """Return `moment` with the offset that the machine's zone has at that time."""
    return moment.replace(tzinfo=None).astimezone()


@frozen
class SystemClock(Clock):
    """Clock and time zone of the machine."""

    def now(self) -> datetime:
        """Return the present time, aware, in UTC."""
        return datetime.now(UTC)

    def zone(self) -> tzinfo:
        """Return the time zone of the machine, with daylight saving."""
        return _MACHINE_ZONE


@frozen
class Uuid4Source(IdSource):
    """Source of random ids, by the random numbers of the operating system."""

    def new(self) -> UUID:
        """Return a new UUID, version 4."""
        return uuid4()
