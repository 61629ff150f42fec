"""Prefer what a question asks for among the hits of its words.

Preferred are texts of a speaker that the question names (`Ann: ...`, "you suggested", "I said"), and texts that
can answer it: with a time to "when", with a number to "how many".

To add a language, write how such questions begin in it in `questions.txt`. Times and numbers are those of
`date_tables`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from attrs import frozen

from lamella.domain.conversations.message import Role
from lamella.domain.search.date_tables import TABLES
from lamella.domain.search.dates import is_date_word, names_time
from lamella.domain.search.weights import ANSWER_WEIGHT, SPEAKER_WEIGHT, Feature
from lamella.domain.tables import phrases, read_table
from lamella.domain.text.languages.language import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of
from lamella.domain.text.words import Word

POOL = 40
"""Hits that are looked at for a question that may prefer some (measured: 20 to 100 do equally well)."""

_QUESTIONS = read_table(__file__, "questions.txt")
"""Beginnings of questions for a time, and for a number, and English numbers besides those of the date table."""

_NAMED = re.compile(r"\s*([^\W\d_][^\W_]*(?: [^\W\d_][^\W_]*){0,2}):\s")
"""Beginning of a text that says who said it."""

_LABELS = frozenset(read_table(__file__, "words.txt")["labels"].split())
"""Words before a colon that are nobody's name."""

_SAYING = (
    r"(?: \w+)?? (?:said|say|tell|told|wrote|write|"
    r"(?:ask|decid|explain|mention|propos|recommend|suggest|want)(?:e?d|e|s|ing)?)\b"
)
_ROLES = {
    Role.ASSISTANT: re.compile(rf"\byou{_SAYING}", re.IGNORECASE),
    Role.HUMAN: re.compile(rf"\bI{_SAYING}", re.IGNORECASE),
}


def preference(question: str) -> Callable[[str], float] | None:
    """Return a function from a text to the factor for its score; None if the question may be answered by any."""
    begun = question.lstrip()
    if _beginnings("when").match(begun):
        answers: Callable[[str], object] = partial(names_time, language=language_of(question))
    elif _beginnings("how many").match(begun):
        answers = _number(language_of(question)).search
    else:
        return None
    return lambda text: ANSWER_WEIGHT if answers(text) else 1.0


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


def names_speaker(text: str) -> bool:
    """Return True if a text begins with the name of the one who said it: `Ann: ...`."""
    named = _NAMED.match(text)
    return named is not None and named[1].lower() not in _LABELS


@frozen
class Preferences:
    """Preferences of a question: for what somebody said whom it names, and for texts that can answer it.

    Attributes:
        names: Words that may be names, in small letters: those with a capital.
        roles: Authors of messages: the assistant if it says "you suggested", the human if it says "I said".
        answering: Function from a text to the factor for its score; None if any text may answer.
    """

    names: frozenset[str]
    roles: frozenset[Role]
    answering: Callable[[str], float] | None

    @classmethod
    def of(cls, question: str, words: Sequence[Word]) -> "Preferences":
        """Return the preferences of a question with these words."""
        plain = (word.forms[0] for word in words if not word.identifier)
        capitals = {word.lower() for word in plain if word[:1].isupper() and not is_date_word(word)}
        roles = frozenset(role for role, saying in _ROLES.items() if saying.search(question))
        return cls(frozenset(capitals) - _LABELS, roles, preference(question))

    def concern(self, texts: Iterable[str]) -> bool:
        """Return True if they may change the order of these texts: words with a capital may be no names."""
        return self.answering is not None or (bool(self.names) and any(map(names_speaker, texts)))

    def factors(self, text: str, role: Role | None = None) -> tuple[tuple[str, float], tuple[str, float]]:
        """Return the factors for the score of a text by feature; a message has the role of its author."""
        answering = 1.0 if self.answering is None else self.answering(text)
        named = _NAMED.match(text) if self.names else None
        said = named is not None and not self.names.isdisjoint(named[1].lower().split())
        return (Feature.ANSWER, answering), (
            Feature.SPEAKER,
            SPEAKER_WEIGHT if said or role in self.roles else 1.0,
        )
