"""Dates in words: in what is indexed, and in questions."""

import re
from datetime import UTC, date, datetime

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]


def date_words(at: datetime) -> str:
    """Return a date in UTC as it is indexed: `2023-05-07 7 May 2023`."""
    return f"{at.astimezone(UTC).date().isoformat()} {spoken_date(at)}"


def spoken_date(at: datetime) -> str:
    """Return a date in UTC in words: `7 May 2023`."""
    day = at.astimezone(UTC).date()
    return f"{day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"


def named_dates(text: str, today: date) -> tuple[str, ...]:
    """Stand-in."""
    del text, today
    return ()


def is_date_word(word: str) -> bool:
    """Return True for a month, a year or an ISO date."""
    return word.lower() in _MONTHS or re.fullmatch(r"(19|20)\d\d(-\d\d-\d\d)?", word) is not None
