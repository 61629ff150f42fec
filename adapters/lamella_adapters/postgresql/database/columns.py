"""Conversion between values and columns."""

from datetime import UTC, datetime, timedelta

from lamella.domain.text.printing import well_formed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(time: datetime) -> int:
    """Convert an aware time to the stored number: microseconds since 1970 in UTC."""
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(stored: int) -> datetime:
    """Convert a stored time to an aware time in UTC."""
    return _EPOCH + timedelta(microseconds=stored)


def maybe_microseconds(time: datetime | None) -> int | None:
    """Convert a time as `to_microseconds` does. Return None for None."""
    return None if time is None else to_microseconds(time)


def maybe_time(stored: int | None) -> datetime | None:
    """Convert a stored time as `from_microseconds` does. Return None for None."""
    return None if stored is None else from_microseconds(stored)


def storable(text: str) -> bool:
    """Return True if the server can store a text. If it can't, a search for the text finds nothing."""
    return well_formed(text) == text
