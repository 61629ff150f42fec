"""Indexed text of observations and messages, shared by all storage adapters.

The index has four columns:

- `title` and `content`: the text itself.
- `sub`: hidden forms. These are forms of words that the index's own tokenizer (Unicode 6.1 letters and digits,
  Porter stems) can't find: parts of identifiers, identifiers joined to one word, characters and pairs of
  characters in scripts without spaces, names of emoji, and normal forms. Queries are parsed in the same way, so
  that `fetchPage` also finds `fetch_page`.
- `context`: the beginnings of the two preceding observations of the session.

Keywords precede the content and have its weight. With the weight of a title, keywords would push memories without
keywords too far down (measured: `docs/decisions/constants-by-measurement.md`).

The prompt for a captured edit is in `sub` instead of `content`, so that the path and lines of the edit count more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from attrs import frozen

from lamella.domain.memories.kind import ACCOUNT, EDITED, FOUND, PARTS_APART, Kind
from lamella.domain.tables import read_table
from lamella.domain.text.words import hidden_forms

if TYPE_CHECKING:
    from lamella.domain.conversations.message import Role
    from lamella.domain.memories.observation import Observation

CONTEXT_OBSERVATIONS = 2
"""Number of preceding observations in the column `context` (measured on LoCoMo)."""

CONTEXT_CHARACTERS = 300
"""Maximum number of characters of each observation in the column `context`. More would only add noise and size."""

_REFERENCES = frozenset(read_table(__file__, "words.txt")["references"].split())
"""Words that refer to earlier text or to the speaker, such as pronouns (English, German)."""

_REFERENCE_SHARE = 0.06
"""A text needs its context if more than this share of its words are in `_REFERENCES`.

Measured: 4 to 8 % are equally good. Such words are more frequent in dialogue, and rarer in single facts and code
(`bench/README.md`).
"""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""Names of months in indexed dates.

`dates.txt` has these names, too, but reading that file would delay the first save.
"""

_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")

_LETTERS = re.compile(r"[^\W\d_]+")


@frozen(kw_only=True, repr=False)
class IndexedText:
    """Indexed text of an observation or message. Each field is a column, in the order of `COLUMN_WEIGHTS`."""

    title: str
    content: str
    hidden_forms: str
    context: str

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """All columns in order."""
        return (self.title, self.content, self.hidden_forms, self.context)


def indexed_text(observation: Observation, previous: Iterable[Observation]) -> IndexedText:
    """Return the indexed text of an observation.

    Args:
        observation: Observation to index.
        previous: Preceding observations of the session, nearest first.
    """
    reason = reason_length(observation.kind, observation.source, observation.content)
    return IndexedText(
        title=indexed_title(observation.title, observation.content),
        content=f"{heading(observation)}\n{observation.content[reason:]}",
        hidden_forms=observation_hidden_forms(
            observation.kind, observation.source, observation.title, observation.content, observation.keywords
        ),
        context=context_of(observation.content, ((each.title, each.content) for each in previous)),
    )


def reason_length(kind: str, source: str, content: str) -> int:
    """Return the length of the prompt at the beginning of a captured edit's content; 0 for anything else."""
    if kind != Kind.CHANGE or source not in (EDITED, FOUND) or content.startswith(ACCOUNT):
        return 0
    return max(0, content.find(PARTS_APART + ACCOUNT))


def observation_hidden_forms(kind: str, source: str, title: str, content: str, keywords: str) -> str:
    """Return the column `sub`: hidden forms and, on further lines, the prompt of a captured edit.

    Hidden forms contain no line breaks, so the prompt begins after the first line break. A storage uses this to
    skip the prompt in the content.
    """
    reason, hidden = content[: reason_length(kind, source, content)], all_hidden_forms(title, content, keywords)
    return f"{hidden}\n{reason}" if reason else hidden


def indexed_title(title: str, content: str) -> str:
    """Return `title`, or an empty text if `content` begins with the title, as it does with most generated titles.

    With such a title, the first sentence would count three times as much as the other sentences (measured:
    `bench/README.md`).
    """
    beginning = title.removesuffix("...")
    cut = beginning != title or not content[len(beginning) :][:1].isalnum()
    return "" if cut and content.startswith(beginning) else title


def embedded_text(observation: Observation) -> str:
    """Return the text to compute a vector of: actor, date, title, content and keywords, without context.

    Return an empty text if title, content and keywords have neither letters nor digits.
    """
    title = indexed_title(observation.title, observation.content)
    said = "\n".join(filter(None, (title, observation.content, observation.keywords)))
    if not any(map(str.isalnum, said)):
        return ""
    return f"{observation.actor}, {spoken_date(observation.created_at)}: {said}"


def indexed_message(text: str, role: Role, at: datetime, previous: Sequence[str]) -> IndexedText:
    """Return the indexed text of a message.

    Args:
        text: Text of the message.
        role: Role of the author.
        at: Time of the message.
        previous: Texts of the searchable messages before this message in the session, nearest first.
    """
    return IndexedText(
        title="",
        content=f"{message_heading(role, at)}\n{text}",
        hidden_forms=message_hidden_forms(all_hidden_forms("", text), previous),
        context=message_context(previous),
    )


def message_hidden_forms(hidden: str, previous: Sequence[str]) -> str:
    """Return the column `sub` of a message: its hidden forms, and a question directly before it.

    An answer often has no word in common with its question (measured: `bench/README.md`).

    Args:
        hidden: Hidden forms of the message's text; see `all_hidden_forms`.
        previous: Texts of the messages before this message, nearest first. Only the first `CONTEXT_CHARACTERS` of
            a text are used.
    """
    said = _beginning(previous[0]) if previous else ""
    return f"{hidden} {said}".strip() if said.endswith(_QUESTION_MARKS) else hidden


def message_context(previous: Sequence[str]) -> str:
    """Return the column `context` of a message. `previous` has the texts before the message, nearest first."""
    return context(("", said) for said in islice(previous, CONTEXT_OBSERVATIONS))


def heading(observation: Observation) -> str:
    """Return the indexed line before the content: actor, kind, UTC date (`2023-05-07 7 May 2023`) and keywords."""
    return observation_heading(observation.actor, observation.kind, observation.created_at, observation.keywords)


def observation_heading(actor: str, kind: str, at: datetime, keywords: str) -> str:
    """Like `heading`, for the fields of an observation."""
    return f"{actor} {kind} {date_words(at)} {keywords}".rstrip()


def message_heading(role: Role, at: datetime) -> str:
    """Return the indexed line before the text of a message: role and UTC date."""
    return f"{role} {date_words(at)}"


def date_words(at: datetime) -> str:
    """Return the UTC date of a time in indexed form: `2023-05-07 7 May 2023`."""
    day = at.astimezone(UTC).date()
    return f"{day.isoformat()} {day.day} {month_words(day)}"


def spoken_date(at: datetime) -> str:
    """Return the UTC date of a time in words: `7 May 2023`."""
    return date_words(at).partition(" ")[2]


@lru_cache(maxsize=1_024)
def month_words(day: date) -> str:
    """Return the month of a date in words: `May 2023`."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def needs_context(content: str) -> bool:
    """Return True if a text has many words, such as pronouns, that refer to earlier text.

    Such a text is hard to find without its context.
    """
    words = _LETTERS.findall(content.lower())
    return sum(map(_REFERENCES.__contains__, words)) > _REFERENCE_SHARE * len(words)


def context_of(content: str, previous: Iterable[tuple[str, str]]) -> str:
    """Return the column `context` of an observation; empty if `content` needs no context."""
    return observation_context(previous) if needs_context(content) else ""


def observation_context(previous: Iterable[tuple[str, str]]) -> str:
    """Return the column `context` of an observation that needs context; see `context`.

    A question directly before the observation is repeated for more weight, because an answer often has no word in
    common with its question (measured: `bench/README.md`).
    """
    nearest = list(previous)
    asked = [each for each in nearest[:1] if _beginning(each[1]).endswith(_QUESTION_MARKS)]
    return context([*asked, *nearest])


def context(previous: Iterable[tuple[str, str]]) -> str:
    """Return the column `context`.

    `previous` has the titles and contents of the preceding observations, nearest first.
    """
    beginnings = ((title, content[:CONTEXT_CHARACTERS]) for title, content in previous)
    return "\n".join(f"{indexed_title(title, beginning)}\n{beginning}" for title, beginning in beginnings)


def all_hidden_forms(title: str, content: str, keywords: str = "") -> str:
    """Return the distinct hidden forms of these texts."""
    # Most titles repeat the beginning of the content, and so have no other forms than the content.
    repeated = content.startswith(title) and not content[len(title) : len(title) + 1].strip()
    texts = (content, keywords) if repeated else (title, content, keywords)
    return " ".join(dict.fromkeys(form for text in filter(None, texts) for form in hidden_forms(text)))


def _beginning(text: str) -> str:
    return text[:CONTEXT_CHARACTERS].rstrip()
