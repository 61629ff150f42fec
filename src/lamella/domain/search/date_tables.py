"""Names of dates in several languages.

To add a language, add its table to `dates.txt` and its name to `_tables`.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from lamella.domain.tables import phrases, read_table
from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import ENGLISH, FRENCH, GERMAN, SPANISH


class DateTable(NamedTuple):
    """Names of dates in one language, as regular expressions in lower case.

    Alternative spellings are separated by `|`. Phrases have the placeholders `{number}` and `{unit}`. Fields
    `before_...` have the words required before a name, to recognise "in May" as a date but not "may". After
    `since`, no such word is required.
    """

    language: Language
    months: tuple[str, ...]  # January first
    weekdays: tuple[str, ...]  # Monday first
    days: tuple[str, ...]  # today, yesterday, the day before
    units: tuple[str, str, str, str]  # day, week, month, year
    numbers: tuple[str, ...]  # as words, beginning with "one"
    since: str
    this: str  # "this week"
    last: str  # "last week"
    ago: str  # "two weeks ago"
    past: str  # "the past two weeks"
    before_weekday: str
    before_month: str
    before_weekend: str
    weekend: str


_LISTS = ("months", "weekdays", "days", "units", "numbers")


def _tables() -> Iterator[DateTable]:
    written = read_table(__file__, "dates.txt")
    for name, language in (("english", ENGLISH), ("german", GERMAN), ("french", FRENCH), ("spanish", SPANISH)):
        fields: dict[str, Any] = {each: written[f"{name} {each}"] for each in DateTable._fields[1:]}
        yield DateTable(language, **fields | {each: phrases(fields[each]) for each in _LISTS})


TABLES = tuple(_tables())
