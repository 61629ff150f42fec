"""Conversion between values and columns."""

from datetime import UTC, datetime, timedelta

from lamella.domain.text.printing import well_formed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(time: datetime) -> int:
    """Return the microseconds since 1970 in UTC, as times are stored."""
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(stored: int) -> datetime:
    """Return the aware time in UTC of a stored one."""
    return _EPOCH + timedelta(microseconds=stored)


def maybe_microseconds(time: datetime | None) -> int | None:
    """Return the same for a time that may be missing."""
    return None if time is None else to_microseconds(time)


def maybe_time(stored: int | None) -> datetime | None:
    """Return the time of a stored one that may be missing."""
    return None if stored is None else from_microseconds(stored)


def storable(text: str) -> bool:
    """Return True if the server could have this text: what it cannot hold, it does not have."""
    return well_formed(text) == text
