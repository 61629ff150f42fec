"""Prefer texts that can answer: with a time to "when", with a number to "how many".

To add a language, write how such questions begin in it in `questions.txt`. Times and numbers are those of
`date_tables`.
"""

import re
from collections.abc import Callable
from functools import cache, partial

from lamella.domain.search.date_tables import TABLES
from lamella.domain.search.dates import names_time
from lamella.domain.tables import phrases, read_table
from lamella.domain.text.languages.language import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of

_PREFERENCE = 1.3
"""Factor for a text that can answer (measured: 1.2 to 1.5 do equally well, see `bench/README.md`)."""

_QUESTIONS = read_table(__file__, "questions.txt")
"""Beginnings of questions for a time, and for a number, and English numbers besides those of the date table."""


def preference(question: str) -> Callable[[str], float] | None:
    """Return a function from a text to the factor for its score; None if the question may be answered by any."""
    begun = question.lstrip()
    if _beginnings("when").match(begun):
        answers: Callable[[str], object] = partial(names_time, language=language_of(question))
    elif _beginnings("how many").match(begun):
        answers = _number(language_of(question)).search
    else:
        return None
    return lambda text: _PREFERENCE if answers(text) else 1.0


@cache
def _beginnings(name: str) -> re.Pattern[str]:
    """Return a pattern of how questions begin; `{verb}` makes them questions in English."""
    each = phrases(_QUESTIONS[name].replace("{verb}", _QUESTIONS["verb"]))
    return re.compile(rf"(?:{'|'.join(each)})(?![\w-])", re.IGNORECASE)


@cache
def _number(language: Language) -> re.Pattern[str]:
    """Return a pattern of numbers in digits and words, but of one: it is an article too."""
    tables = (table for table in TABLES if table.language in (ENGLISH, language))
    words = "|".join(number for table in tables for number in table.numbers[1:])
    return re.compile(rf"(?<!\w)(?:\d|(?:{words}|{_QUESTIONS['numbers']})(?!\w))", re.IGNORECASE)
