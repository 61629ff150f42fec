"""Prefer texts that can answer: with a time to "when", with a number to "how many".

To add a language, write how such questions begin in it. Times and numbers are those of `date_tables`.
"""

import re
from collections.abc import Callable
from functools import cache, partial

from lamella.domain.search.date_tables import TABLES
from lamella.domain.search.dates import names_time
from lamella.domain.text.languages.language import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of

_PREFERENCE = 1.3
"""Factor for a text that can answer (measured: 1.2 to 1.5 do equally well, see `bench/README.md`)."""

_VERB = " (?:am|are|can|could|did|do|does|had|has|have|is|may|must|shall|should|was|were|will|would)"
"""Verb of an English question, without which "when" and "how long" may begin another sentence."""

_WHEN = (
    f"(?:(?:by|since|until) )?when(?:{_VERB}|\\W*$)",
    f"(?:(?:at|by|in|on|since) )?(?:what|which) (?:date|day|month|time|week|year){_VERB}",
    "(?:bis |seit )?wann",
    "(?:depuis |jusqu'à )?quand",
    "(?:¿ ?)?(?:desde |hasta )?cuándo",
)
"""Beginnings of questions for a time."""

_HOW_MANY = (
    "how (?:many|much)",
    f"(?:for )?how (?:big|large|long|often|old){_VERB}",
    "wie ?viele?",
    "wie (?:alt|groß|lange|oft)",
    "combien",
    "(?:¿ ?)?cuánt[oa]s?",
)
"""Beginnings of questions for a number."""

_NUMBERS = "once|twice|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|(?:dozen|hundred|thousand|million)s?"
"""English numbers besides those of the table."""


def preference(question: str) -> Callable[[str], float] | None:
    """Return a function from a text to the factor for its score; None if the question may be answered by any."""
    begun = question.lstrip()
    if _beginnings(_WHEN).match(begun):
        answers: Callable[[str], object] = partial(names_time, language=language_of(question))
    elif _beginnings(_HOW_MANY).match(begun):
        answers = _number(language_of(question)).search
    else:
        return None
    return lambda text: _PREFERENCE if answers(text) else 1.0


@cache
def _beginnings(each: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(each)})(?![\w-])", re.IGNORECASE)


@cache
def _number(language: Language) -> re.Pattern[str]:
    """Return a pattern of numbers in digits and words, but of one: it is an article too."""
    tables = (table for table in TABLES if table.language in (ENGLISH, language))
    words = "|".join(number for table in tables for number in table.numbers[1:])
    return re.compile(rf"(?<!\w)(?:\d|(?:{words}|{_NUMBERS})(?!\w))", re.IGNORECASE)
