"""The text that is indexed, and the text that a query looks for.

The index has four columns. `title` and `content` hold the text as it is; `sub` holds what the word splitter
of the index (Unicode 6.1 letters and digits, Porter stems) cannot see: the parts and the joined form of
identifiers, single characters and pairs of scripts written without spaces, names of emoji, normal forms;
`context` holds the beginnings of the two observations before it in its session. A query is taken apart in the
same way, so that an identifier is found in every case style. Shared by every storage adapter.

Keywords stand before the content, with its weight: with that of titles, memories without keywords fall behind
(measured: `docs/decisions/constants-by-measurement.md`).

A captured edit is found by its path and lines rather than by the prompt that it was made for: the prompt stands in
`sub`, not in `content`.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice

from attrs import frozen

from lamella.domain.conversations.message import Role
from lamella.domain.ledger.describe import PARTS_APART
from lamella.domain.memories.kind import ACCOUNT, EDITED, FOUND, Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.search.dates import date_words, spoken_date
from lamella.domain.tables import read_table
from lamella.domain.text.words import hidden_forms

CONTEXT_OBSERVATIONS = 2
"""Number of earlier observations in its session that are an observation's context (measured on LoCoMo)."""

CONTEXT_CHARACTERS = 300
"""Characters of each one's content; more would only add noise and size."""

_REFERENCES = frozenset(read_table(__file__, "words.txt")["references"].split())
"""Words that refer to what was said before, or to who says it (English, German)."""

_REFERENCE_SHARE = 0.06
"""Least share of such words in a text that needs its context.

Measured: 4 to 8 % do equally well. Dialogue has more, single facts and code have fewer (`bench/README.md`).
"""

_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")

_LETTERS = re.compile(r"[^\W\d_]+")


@frozen(kw_only=True)
class IndexedText:
    """Indexed text of one observation: the four columns, in the order of `COLUMN_WEIGHTS`."""

    title: str
    content: str
    sub: str
    context: str

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """The columns in their order."""
        return (self.title, self.content, self.sub, self.context)


def indexed_text(observation: Observation, previous: Iterable[Observation]) -> IndexedText:
    """Return what is indexed of `observation`, which follows `previous` (nearest first) in its session."""
    reason = reason_length(observation.kind, observation.source, observation.content)
    return IndexedText(
        title=indexed_title(observation.title, observation.content),
        content=f"{heading(observation)}\n{observation.content[reason:]}",
        sub=observation_sub(
            observation.kind, observation.source, observation.title, observation.content, observation.keywords
        ),
        context=context_of(observation.content, ((each.title, each.content) for each in previous)),
    )


def reason_length(kind: str, source: str, content: str) -> int:
    """Return the number of characters before the account of a captured edit: the prompt that it was made for.

    A commit's message, and any other text, is its own account.
    """
    if kind != Kind.CHANGE or source not in (EDITED, FOUND) or content.startswith(ACCOUNT):
        return 0
    return max(0, content.find(PARTS_APART + ACCOUNT))


def observation_sub(kind: str, source: str, title: str, content: str, keywords: str) -> str:
    """Return the sub column of an observation: hidden forms and, on further lines, the prompt of a captured edit.

    Hidden forms have no line ends, so storage can tell from this column how much of the content to leave out.
    """
    reason, hidden = content[: reason_length(kind, source, content)], sub(title, content, keywords)
    return f"{hidden}\n{reason}" if reason else hidden


def indexed_title(title: str, content: str) -> str:
    """Return `title`, unless `content` begins with its words, as it does with most generated ones.

    A first sentence that counts three times hides the others (measured: `bench/README.md`).
    """
    beginning = title.removesuffix("...")
    cut = beginning != title or not content[len(beginning) :][:1].isalnum()
    return "" if cut and content.startswith(beginning) else title


def embedded_text(observation: Observation) -> str:
    """Return what of `observation` is embedded: who, when, title, content and keywords, and no context.

    Empty where neither title nor content has a letter or digit.
    """
    title = indexed_title(observation.title, observation.content)
    said = "\n".join(filter(None, (title, observation.content, observation.keywords)))
    if not any(map(str.isalnum, said)):
        return ""
    return f"{observation.actor}, {spoken_date(observation.created_at)}: {said}"


def indexed_message(text: str, role: Role, at: datetime, previous: Sequence[str]) -> IndexedText:
    """Return the indexed text of a message.

    Args:
        text: Its text.
        role: Its author.
        at: Its time.
        previous: Texts of the searched messages before it in its session when it was added, nearest first.
    """
    return IndexedText(
        title="",
        content=f"{message_heading(role, at)}\n{text}",
        sub=message_sub(sub("", text), previous),
        context=message_context(previous),
    )


def message_sub(hidden: str, previous: Sequence[str]) -> str:
    """Return the sub column of a message: its hidden forms, and the question that it follows.

    An answer often has no word of its question (measured: `bench/README.md`).

    Args:
        hidden: The hidden forms of its text; see `sub`.
        previous: Texts before it, nearest first; of each, the first `CONTEXT_CHARACTERS` count.
    """
    said = _beginning(previous[0]) if previous else ""
    return f"{hidden} {said}".strip() if said.endswith(_QUESTION_MARKS) else hidden


def message_context(previous: Sequence[str]) -> str:
    """Return the context column of a message after others, nearest first."""
    return context(("", said) for said in islice(previous, CONTEXT_OBSERVATIONS))


def heading(observation: Observation) -> str:
    """Return what stands before the content: actor, kind, day in UTC (`2023-05-07 7 May 2023`) and keywords."""
    return observation_heading(observation.actor, observation.kind, observation.created_at, observation.keywords)


def observation_heading(actor: str, kind: str, at: datetime, keywords: str) -> str:
    """Return the same for an observation that is saved at a time."""
    return f"{actor} {kind} {date_words(at)} {keywords}".rstrip()


def message_heading(role: Role, at: datetime) -> str:
    """Return what stands before the indexed text of a message: who and when."""
    return f"{role} {date_words(at)}"


def needs_context(content: str) -> bool:
    """Return True if a text refers to what was said before it so often that it can't be found without."""
    words = _LETTERS.findall(content.lower())
    return sum(map(_REFERENCES.__contains__, words)) > _REFERENCE_SHARE * len(words)


def context_of(content: str, previous: Iterable[tuple[str, str]]) -> str:
    """Return the context column of an observation with this content; empty if it needs none."""
    return observation_context(previous) if needs_context(content) else ""


def observation_context(previous: Iterable[tuple[str, str]]) -> str:
    """Return the context column of an observation that needs one; see `context`.

    A question directly before it counts twice: the answer often has no word of it (measured: `bench/README.md`).
    """
    nearest = list(previous)
    asked = [each for each in nearest[:1] if _beginning(each[1]).endswith(_QUESTION_MARKS)]
    return context([*asked, *nearest])


def context(previous: Iterable[tuple[str, str]]) -> str:
    """Return the context column of an observation after others, given as titles and contents, nearest first."""
    beginnings = ((title, content[:CONTEXT_CHARACTERS]) for title, content in previous)
    return "\n".join(f"{indexed_title(title, beginning)}\n{beginning}" for title, beginning in beginnings)


def sub(title: str, content: str, keywords: str = "") -> str:
    """Return the sub column: forms in these texts that the index's own splitter cannot see, each once."""
    # Most titles are the first words of the content, whose forms are among those of the content.
    repeated = content.startswith(title) and not content[len(title) : len(title) + 1].strip()
    texts = (content, keywords) if repeated else (title, content, keywords)
    return " ".join(dict.fromkeys(form for text in filter(None, texts) for form in hidden_forms(text)))


def _beginning(text: str) -> str:
    return text[:CONTEXT_CHARACTERS].rstrip()
