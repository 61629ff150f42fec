"""Ages in words, such as `2 days ago`. Ages above a week are printed as a date."""

from datetime import date, datetime, timedelta

_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_TODAY = 6 * _HOUR
"""An age below this is printed in hours, even if the time is before the last midnight."""

_WEEK_DAYS = 7


def age(at: datetime, now: datetime) -> str:
    """Return the age of a time. For a time in the future, or more than a week ago, return the date.

    Args:
        at: The time.
        now: Current time, in the same time zone.
    """
    past, days = now - at, (now.date() - at.date()).days
    if past <= -_MINUTE or days > _WEEK_DAYS:
        return short_date(at, now)
    if days and past >= _TODAY:
        return "yesterday" if days == 1 else f"{days} days ago"
    if past < _MINUTE:
        return "just now"
    count, unit = (past // _HOUR, "hour") if past >= _HOUR else (past // _MINUTE, "minute")
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def short_date(at: date, now: date) -> str:
    """Format a date. Leave out the current year."""
    return f"{at.day} {at:%b}" if at.year == now.year else f"{at.day} {at:%b %Y}"
