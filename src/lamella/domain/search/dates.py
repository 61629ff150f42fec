"""Resolve dates in questions, such as "last week", to dates in the form of the index."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from attrs import evolve

from lamella.domain.memories.query import ByText, Filters, Mode
from lamella.domain.memories.tags import without_limits
from lamella.domain.search.date_tables import TABLES, DateTable
from lamella.domain.search.indexing import month_words
from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of

MOST_DAYS = 31
"""Maximum number of days in a range of dates that is listed by days. A longer range is listed by months."""

MOST_MONTHS = 12
"""Maximum number of months in a range listed by months. A longer range is listed by its latest twelve years."""

_DAY, _WEEK, _MONTH, _YEAR = range(4)
_ISO = r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_YEARS = r"(?:19|20)\d\d"
_ISO_DATE = re.compile(_ISO)
_DATE_OR_CLOCK = re.compile(rf"(?<!\w)(?:{_ISO}|{_YEARS}|[012]?\d:[0-5]\d)(?!\w)")
_LETTERS = re.compile(r"[^\W\d_]+")
_YEAR_OR_DATE = re.compile(f"{_ISO}|{_YEARS}")
_MONTH_NAMES = frozenset(name for table in TABLES for month in table.months for name in month.split("|"))
_ABBREVIATED = 3
"""Maximum length of an abbreviated month. In lower case, such as `dec` or `oct`, it may be another word."""


def _is_abbreviated(month: str) -> bool:
    return 0 < len(month) <= _ABBREVIATED and month not in {"mai", "may"}


_OTHER_WORDS_TOO = frozenset({"may", "march", "mars", *filter(_is_abbreviated, _MONTH_NAMES)})
"""Names of months that may be other words if they are in lower case."""


@lru_cache(maxsize=4_096)
def is_date_word(word: str) -> bool:
    """Return True for the name of a month, a year from 1900 to 2099, or a date such as `2023-05-07`.

    Cached, because each step of a search calls it, and texts repeat words.
    """
    is_month = word.lower() in _MONTH_NAMES and word not in _OTHER_WORDS_TOO
    return is_month or _YEAR_OR_DATE.fullmatch(word) is not None


def names_time(text: str, language: Language) -> bool:
    """Return True if a text contains a date, a time of day, or a related word such as "weeks".

    Args:
        text: Text to check.
        language: Language of the text. English words are recognised too.
    """
    return _DATE_OR_CLOCK.search(text) is not None or any(
        is_date_word(word) or _tells_time(word, language) for word in _LETTERS.findall(text)
    )


@lru_cache(maxsize=4_096)
def _tells_time(word: str, language: Language) -> bool:
    """Return True for a word that names a weekday, day or unit of time. Cached, because the patterns are long."""
    tables = (table for table in TABLES if table.language in (ENGLISH, language))
    names = (name for table in tables for name in (*table.weekdays, *table.days, *table.units, table.weekend))
    return re.fullmatch("|".join(names), word, re.IGNORECASE) is not None


class Dated(NamedTuple):
    """Question with its relative dates resolved.

    Attributes:
        rest: Question without its relative dates.
        dates: Resolved dates, in the forms of `date_words`.
    """

    rest: str
    dates: tuple[str, ...] = ()


def named_dates(text: str, today: date) -> Dated:
    """Resolve the relative dates in a question.

    On 22 November 2026, "yesterday" is `2026-11-21`, "last month" is `October 2026`, and "last year" is `2025`. A
    weekday means the latest such day before today, and a month the latest such month that has begun. A range ends
    today.

    Args:
        text: Question.
        today: Date of the question.
    """
    rest = " ".join(text.replace("\u2019", "'").split())
    if not _anything_named().search(rest):
        return Dated(text)
    language = language_of(text)
    found: list[str] = []
    for pattern, table, meaning in _phrases():
        if language not in (ENGLISH, table.language):
            continue  # the same word may mean something else: "hier" is yesterday in French, and here in German

        def collect(match: re.Match[str], table: DateTable = table, meaning: _Meaning = meaning) -> str:
            if _doubtful(match):
                return match[0]
            first, last, unit = meaning(match, table, today)
            names = _names(first, today) if match["since"] else _names(first, last, unit)
            found.extend(names)
            return "\0" if names else match[0]  # keeps later patterns from matching a part of this date

        rest = pattern.sub(collect, rest)
    return Dated(" ".join(rest.replace("\0", " ").split()), tuple(dict.fromkeys(found))) if found else Dated(text)


def in_utc(dates: Sequence[str], offset: timedelta) -> tuple[str, ...]:
    """Add a day to dates of a time zone, so that the dates cover the same range in UTC.

    Args:
        dates: Names of dates. Only days are extended, not months or years.
        offset: UTC offset of the time zone.
    """
    days = sorted(date.fromisoformat(each) for each in dates if _ISO_DATE.fullmatch(each))
    if not (days and offset) or days[0] == date.min:
        return tuple(dates)
    besides = days[-1] + timedelta(1) if offset < timedelta() else days[0] - timedelta(1)
    return (*dates, besides.isoformat())


def dated(text: str, now: datetime) -> str:
    """Replace the relative dates in a question by absolute dates in UTC.

    Args:
        text: Question.
        now: Current time, in the user's time zone.
    """
    question = named_dates(text, now.date())
    return " ".join((question.rest, *in_utc(question.dates, now.utcoffset() or timedelta())))


def resolved(asked: ByText, filters: Filters, now: datetime) -> tuple[ByText, Filters]:
    """Resolve the dates of a question, and move a branch at the question's beginning to the filters.

    Leave out tags at the beginning. If the question has only tags, the new text is the words of the tags.
    """
    tags, branch, question = without_limits(asked.text)
    text = dated(question, now) if question else " ".join(sorted(tags))
    return ByText(text, asked.mode if question else Mode.KEYWORD), evolve(filters, branch=branch or filters.branch)


def _doubtful(match: re.Match[str]) -> bool:
    """Return True if a match is probably no date: an abbreviated month in lower case, as in "in dec encoders"."""
    said = match.groupdict()
    month = said.get("month") or ""
    return month == month.lower() and _is_abbreviated(month) and not said["year"]


def _names(first: date, last: date, unit: int = _DAY) -> list[str]:
    """List a range by its unit (month or year), a range of days by the smallest unit that keeps the list short."""
    days = (last - first).days + 1
    months = _month_number(last) - _month_number(first) + 1
    if unit == _YEAR or months > MOST_MONTHS:
        return [str(year) for year in range(max(first.year, last.year - MOST_MONTHS + 1), last.year + 1)]
    if unit == _MONTH or days > MOST_DAYS:
        return [month_words(_earlier(last, number, _MONTH)) for number in reversed(range(months))]
    return [(first + timedelta(number)).isoformat() for number in range(days)]


def _month_number(day: date) -> int:
    return 12 * day.year + day.month - 1


def _earlier(day: date, count: int, unit: int) -> date:
    """Return the date `count` units before `day`, but no date before year 1.

    If the result is in a different month from `day`, its day of the month is at most 28.
    """
    if unit in (_DAY, _WEEK):
        return date.fromordinal(max(1, day.toordinal() - count * (7 if unit == _WEEK else 1)))
    year, month = divmod(max(12, _month_number(day) - count * (12 if unit == _YEAR else 1)), 12)
    return date(year, month + 1, min(day.day, 28))


def _start(day: date, unit: int) -> date:
    """Return the first day of the week, month or year that `day` belongs to."""
    if unit == _WEEK:
        return _earlier(day, day.weekday(), _DAY)
    return day.replace(day=1, month=1 if unit == _YEAR else day.month) if unit > _WEEK else day


_Range = tuple[date, date, int]
"""Range of dates: first day, last day, and the unit to list the range by."""

_Meaning = Callable[[re.Match[str], DateTable, date], _Range]


def _some_day(match: re.Match[str], table: DateTable, today: date) -> _Range:
    day = _earlier(today, _which(table.days, match["day"]), _DAY)
    return day, day, _DAY


def _this_unit(match: re.Match[str], table: DateTable, today: date) -> _Range:
    unit = _which(table.units, match["unit"])
    return _start(today, unit), today, unit


def _last_unit(match: re.Match[str], table: DateTable, today: date) -> _Range:
    unit = _which(table.units, match["unit"])
    end = _earlier(_start(today, unit), 1, _DAY)
    return _start(end, unit), end, unit


def _units_ago(match: re.Match[str], table: DateTable, today: date) -> _Range:
    unit = _which(table.units, match["unit"])
    count = _number(match, table)
    if unit == _WEEK:
        return _earlier(today, 7 * count + 3, _DAY), _earlier(today, max(0, 7 * count - 3), _DAY), unit
    day = _earlier(today, count, unit)
    return day, day, unit


def _past_units(match: re.Match[str], table: DateTable, today: date) -> _Range:
    return _earlier(today, _number(match, table), _which(table.units, match["unit"])), today, _DAY


def _weekday(match: re.Match[str], table: DateTable, today: date) -> _Range:
    day = _earlier(today, (today.weekday() - _which(table.weekdays, match["weekday"]) - 1) % 7 + 1, _DAY)
    return day, day, _DAY


def _weekend(_match: re.Match[str], _table: DateTable, today: date) -> _Range:
    sunday = _earlier(today, today.weekday() + 1, _DAY)
    return _earlier(sunday, 1, _DAY), sunday, _DAY


def _some_month(match: re.Match[str], table: DateTable, today: date) -> _Range:
    month = 1 + _which(table.months, match["month"])
    year = int(match["year"]) if match["year"] else max(1, today.year - (month > today.month))
    return date(year, month, 1), date(year, month, 1), _MONTH


def _some_date(match: re.Match[str], _table: DateTable, today: date) -> _Range:
    year, month, day = map(int, (*match["date"].split("-"), 1, 1)[:3])
    return date(year, month, 1) + timedelta(day - 1), today, _DAY


def _which(names: tuple[str, ...], said: str) -> int:
    """Return the index of the first name in `names` that matches `said`."""
    return next(number for number, spellings in enumerate(names) if re.fullmatch(spellings, said, re.IGNORECASE))


def _number(match: re.Match[str], table: DateTable) -> int:
    said = match["number"] or "1"
    return int(said) if said.isdecimal() else 1 + _which(table.numbers, said)


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], DateTable, _Meaning], ...]:
    """Compile the patterns of all languages. This takes milliseconds, so it happens at the first use."""
    return tuple(
        (re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), table, meaning)
        for table in TABLES
        for pattern, meaning in _phrases_of(table)
    )


def _phrases_of(table: DateTable) -> Iterator[tuple[str, _Meaning]]:
    since = f"(?P<since>{table.since})"
    unit, number = (f"(?P<unit>{'|'.join(table.units)})", f"(?P<number>[0-9]{{1,3}}|{'|'.join(table.numbers)})")
    said: tuple[tuple[str, _Meaning], ...] = (
        (f"(?P<day>{'|'.join(reversed(table.days))})", _some_day),
        (table.past, _past_units),
        (table.ago, _units_ago),
        (table.this, _this_unit),
        (table.last, _last_unit),
    )
    for phrase, meaning in said:
        filled = phrase.replace("{unit}", unit, 1).replace("{number}", number)
        yield rf"(?:{since} )?(?:{filled})", meaning
    behind: tuple[tuple[str, str, _Meaning], ...] = (
        (table.before_weekday, f"(?P<weekday>{'|'.join(table.weekdays)})", _weekday),
        (table.before_weekend, table.weekend, _weekend),
        (table.before_month, rf"(?P<month>{'|'.join(table.months)})(?: (?P<year>{_YEARS}))?", _some_month),
    )
    for before, name, meaning in behind:
        yield rf"(?:{since}(?: (?:{before}))?|{before}) (?:{name})", meaning
    yield rf"{since} (?P<date>{_ISO}|{_YEARS})", _some_date


@cache
def _anything_named() -> re.Pattern[str]:
    """Return a pattern that matches at least one word in every phrase. It rules out most questions fast."""
    names = (
        name
        for table in TABLES
        for name in (*table.months, *table.weekdays, *table.days, *table.units, table.weekend, table.since)
    )
    return re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)
