"""Dates in indexed form."""

from datetime import UTC, date, datetime
from functools import lru_cache

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def date_words(at: datetime) -> str:
    """Return the UTC date of a time in indexed form: `2023-05-07 7 May 2023`."""
    day = at.astimezone(UTC).date()
    return f"{day.isoformat()} {day.day} {month_words(day)}"


def spoken_date(at: datetime) -> str:
    """Return the UTC date of a time in words: `7 May 2023`."""
    return date_words(at).partition(" ")[2]


@lru_cache(maxsize=1_024)
def month_words(day: date) -> str:
    """Return the month of a date in words: `May 2023`."""
    return f"{_MONTHS[day.month - 1]} {day.year}"
