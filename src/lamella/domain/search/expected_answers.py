"""Prefer texts that can answer: with a time to "when", with a number to "how many".

To add a language, write how such questions begin in it. Times and numbers are those of `date_tables`.
"""

import re
from collections.abc import Callable
from functools import cache

from lamella.domain.search.date_tables import TABLES
from lamella.domain.search.dates import names_time

_PREFERENCE = 1.3
"""Factor for a text that can answer (measured: 1.2 to 1.5 do equally well, see `bench/README.md`)."""

_WHEN = (
    "(?:since |until |by )?when",
    "(?:(?:in|on|at|since|by) )?(?:what|which) (?:date|day|week|month|year|time)",
    "(?:seit |bis )?wann",
    "(?:depuis |jusqu'à )?quand",
    "(?:¿ ?)?(?:desde |hasta )?cu[áa]ndo",
)
"""Beginnings of questions for a time."""

_HOW_MANY = (
    "(?:for )?how (?:many|much|long|often|old|large|big)",
    "wie ?viele?",
    "wie (?:lange|oft|alt|groß)",
    "combien",
    "(?:¿ ?)?cu[áa]nt[oa]s?",
)
"""Beginnings of questions for a number."""


def preference(question: str) -> Callable[[str], float] | None:
    """Return a function from a text to the factor for its score; None if the question may be answered by any."""
    begun = question.lstrip()
    for beginnings, answers in _kinds():
        if beginnings.match(begun):
            return lambda text: _PREFERENCE if answers(text) else 1.0
    return None


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], Callable[[str], object]], ...]:
    """Return the beginnings of each kind of question, and whether a text can answer it."""
    words = "|".join(number for table in TABLES for number in table.numbers[1:])
    number = re.compile(rf"(?<!\w)(?:\d|(?:{words}|once|twice|dozens?|hundreds?|thousands?)(?!\w))", re.IGNORECASE)
    return (_beginnings(_WHEN), names_time), (_beginnings(_HOW_MANY), number.search)


def _beginnings(each: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(each)})(?!\w)", re.IGNORECASE)
