"""Clock, time zone and randomness of the machine."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from uuid import UUID, uuid4

from attrs import frozen

from lamella.ports.system import Clock, IdSource


@frozen
class _MachineZone(tzinfo):
    """The zone that the C library is set to, by `TZ` or `/etc/localtime`, with its daylight saving.

    `datetime.astimezone()` alone gives the offset of one moment, which would show a winter's memory an hour off in
    summer. This asks it again for each moment, so no zone has to be found by name and no time-zone database
    shipped.
    """

    def utcoffset(self, moment: datetime | None, /) -> timedelta | None:
        return None if moment is None else _on_the_wall(moment).utcoffset()

    def dst(self, moment: datetime | None, /) -> timedelta | None:
        # The C library says whether daylight saving is on, but not by how much.
        del moment
        return None

    def tzname(self, moment: datetime | None, /) -> str | None:
        return None if moment is None else _on_the_wall(moment).tzname()

    def fromutc(self, moment: datetime, /) -> datetime:
        # Without a zone, `fromtimestamp` sets `fold`, which tells the two 2:30s of an autumn night apart. Whole
        # seconds, because a float may round the last microsecond.
        seconds = moment.replace(tzinfo=UTC, microsecond=0).timestamp()
        wall = datetime.fromtimestamp(seconds)  # noqa: DTZ006 - naive on purpose; its zone follows
        return wall.replace(microsecond=moment.microsecond, tzinfo=self)


_MACHINE_ZONE: Final = _MachineZone()


def _on_the_wall(moment: datetime) -> datetime:
    """`moment` with the fixed offset that the machine's zone has then."""
    return moment.replace(tzinfo=None).astimezone()


@frozen
class SystemClock(Clock):
    """The machine's clock and zone."""

    def now(self) -> datetime:
        """This moment, aware, in UTC."""
        return datetime.now(UTC)

    def zone(self) -> tzinfo:
        """The machine's zone; it knows daylight saving."""
        return _MACHINE_ZONE


@frozen
class Uuid4Source(IdSource):
    """Random ids from the operating system's source of randomness."""

    def new(self) -> UUID:
        """A fresh UUID, version 4."""
        return uuid4()
