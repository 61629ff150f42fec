"""Preferences of a question, as factors for the scores of hits.

A question prefers texts by a speaker that it names (`Ann: ...`, "you suggested", "I said"), and texts that can
answer it: "when" prefers texts with a time, "how many" prefers texts with a number.

To add a language, add the beginnings of such questions to `questions.txt`. Words for times and numbers come from
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
from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import ENGLISH, language_of
from lamella.domain.text.words import Word

POOL = 40
"""Number of best hits to apply preferences to (measured: 20 to 100 are equally good)."""

_QUESTIONS = read_table(__file__, "questions.txt")
"""Beginnings of questions for a time and for a number, and English numerals that the date table doesn't have."""

_NAMED = re.compile(r"\s*([^\W\d_][^\W_]*(?: [^\W\d_][^\W_]*){0,2}):\s")
"""Name of a speaker at the beginning of a text."""

_LABELS = frozenset(read_table(__file__, "words.txt")["labels"].split())
"""Words that come before a colon, but aren't names of speakers, such as `Note`."""

_SAYING = (
    r"(?: \w+)?? (?:said|say|tell|told|wrote|write|"
    r"(?:ask|decid|explain|mention|propos|recommend|suggest|want)(?:e?d|e|s|ing)?)\b"
)
_ROLES = {
    Role.ASSISTANT: re.compile(rf"\byou{_SAYING}", re.IGNORECASE),
    Role.HUMAN: re.compile(rf"\bI{_SAYING}", re.IGNORECASE),
}


def preference(question: str) -> Callable[[str], float] | None:
    """Return a function to compute the factor for a text's score; None if the question prefers no kind of text."""
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
    """Return a pattern for the beginnings of questions. `{verb}` is replaced by English auxiliary verbs."""
    each = phrases(_QUESTIONS[name].replace("{verb}", _QUESTIONS["verb"]))
    return re.compile(rf"(?:{'|'.join(each)})(?![\w-])", re.IGNORECASE)


@cache
def _number(language: Language) -> re.Pattern[str]:
    """Return a pattern for numbers as digits or words.

    Leave out "one", because it is an article in some languages.
    """
    tables = (table for table in TABLES if table.language in (ENGLISH, language))
    words = "|".join(number for table in tables for number in table.numbers[1:])
    return re.compile(rf"(?<!\w)(?:\d|(?:{words}|{_QUESTIONS['numbers']})(?!\w))", re.IGNORECASE)


def names_speaker(text: str) -> bool:
    """Return True if a text begins with the name of its speaker: `Ann: ...`."""
    named = _NAMED.match(text)
    return named is not None and named[1].lower() not in _LABELS


@frozen
class Preferences:
    """Preferences of a question for speakers and for texts that can answer it.

    Attributes:
        names: Capitalised words of the question, which may be names of speakers. The words are in lower case here.
        roles: Preferred roles: assistant for "you suggested", human for "I said".
        answering: Computes the factor for a text's score; None if the question prefers no kind of text.
    """

    names: frozenset[str]
    roles: frozenset[Role]
    answering: Callable[[str], float] | None

    @classmethod
    def of(cls, question: str, words: Sequence[Word]) -> "Preferences":
        """Return the preferences of a question. `words` are its words."""
        plain = (word.forms[0] for word in words if not word.identifier)
        capitals = {word.lower() for word in plain if word[:1].isupper() and not is_date_word(word)}
        roles = frozenset(role for role, saying in _ROLES.items() if saying.search(question))
        return cls(frozenset(capitals) - _LABELS, roles, preference(question))

    def concern(self, texts: Iterable[str]) -> bool:
        """Return True if the preferences may affect these texts.

        A preferred name counts only if a text begins with a speaker.
        """
        return self.answering is not None or (bool(self.names) and any(map(names_speaker, texts)))

    def factors(self, text: str, role: Role | None = None) -> tuple[tuple[str, float], tuple[str, float]]:
        """Return the factors for the score of a text, each with its feature.

        For a message, `role` is the role of the author.
        """
        answering = 1.0 if self.answering is None else self.answering(text)
        named = _NAMED.match(text) if self.names else None
        said = named is not None and not self.names.isdisjoint(named[1].lower().split())
        return (Feature.ANSWER, answering), (
            Feature.SPEAKER,
            SPEAKER_WEIGHT if said or role in self.roles else 1.0,
        )
