"""Prefer what somebody said whom the question names: `Ann: ...`, "you suggested", "I said"."""

import re
from collections.abc import Iterable

from attrs import frozen

from lamella.domain.conversations.message import Role
from lamella.domain.search.dates import is_date_word
from lamella.domain.text.table import read_table
from lamella.domain.text.words import Word

_PREFERENCE = 2.0
"""Factor for what a named person said (measured: 1.4 to 2.5, see `bench/README.md`)."""

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


def names_speaker(text: str) -> bool:
    """Return True if a text begins with the name of the one who said it: `Ann: ...`."""
    named = _NAMED.match(text)
    return named is not None and named[1].lower() not in _LABELS


@frozen
class Speakers:
    """Names and roles that a question may mention.

    Attributes:
        names: Words that may be names, in small letters: those with a capital.
        roles: Authors of messages: the assistant if it says "you suggested", the human if it says "I said".
    """

    names: frozenset[str]
    roles: frozenset[Role]

    @classmethod
    def of(cls, question: str, words: Iterable[Word]) -> "Speakers":
        """Return the speakers that a question with these words may name."""
        plain = (word.forms[0] for word in words if not word.identifier)
        capitals = {word.lower() for word in plain if word[:1].isupper() and not is_date_word(word)}
        return cls(
            frozenset(capitals) - _LABELS,
            frozenset(role for role, saying in _ROLES.items() if saying.search(question)),
        )

    def preference(self, text: str, role: Role | None = None) -> float:
        """Return the factor for the score of a text, which a message's author of that role has said."""
        named = _NAMED.match(text) if self.names else None
        said = named is not None and not self.names.isdisjoint(named[1].lower().split())
        return _PREFERENCE if said or role in self.roles else 1.0

    def concern(self, texts: Iterable[str]) -> bool:
        """Return True if somebody with a name has said one of these texts, and the question may name them."""
        return bool(self.names) and any(map(names_speaker, texts))
