"""The text that is indexed, and the text that a query looks for.

The index has four columns. `title` and `content` hold the text as it is; `sub` holds what the word splitter
of the index (Unicode 6.1 letters and digits, Porter stems) cannot see: the parts and the joined form of
identifiers, single characters and pairs of scripts written without spaces, names of emoji, normal forms;
`context` holds the beginnings of the two observations before it in its session. A query is taken apart in the
same way, so that an identifier is found in every case style. Shared by every storage adapter.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from attrs import frozen

from lamella.domain.conversations.message import Role
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.text.words import hidden_forms

CONTEXT_OBSERVATIONS = 2
"""Number of earlier observations in its session that are an observation's context (measured on LoCoMo)."""

CONTEXT_CHARACTERS = 300
"""Characters of each one's content; more would only add noise and size."""


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
    return IndexedText(
        title=indexed_title(observation.title, observation.content),
        content=f"{heading(observation)}\n{observation.content}",
        sub=sub(observation.title, observation.content),
        context=context((each.title, each.content) for each in previous),
    )


def indexed_title(title: str, content: str) -> str:
    """Return `title`, unless `content` begins with its words, as it does with most generated ones.

    A first sentence that counts three times hides the others (measured: `bench/README.md`).
    """
    beginning = title.removesuffix("...")
    cut = beginning != title or not content[len(beginning) :][:1].isalnum()
    return "" if cut and content.startswith(beginning) else title


def embedded_text(observation: Observation) -> str:
    """Return what of `observation` is embedded: who, title and content. Its context says other things: not that.

    Empty where neither title nor content has a letter or digit.
    """
    title = indexed_title(observation.title, observation.content)
    said = f"{title}\n{observation.content}" if title else observation.content
    return f"{observation.actor}: {said}" if any(map(str.isalnum, said)) else ""


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
        sub=sub("", text),
        context=context(("", said) for said in previous[:CONTEXT_OBSERVATIONS]),
    )


def heading(observation: Observation) -> str:
    """Return what stands before the indexed content: who, what and when (`YYYY-MM-DD`, UTC)."""
    return draft_heading(observation, observation.created_at)


def draft_heading(draft: Draft | Observation, at: datetime) -> str:
    """Return the same for a draft that is saved at a time."""
    return f"{draft.actor} {draft.kind} {_date(at)}"


def message_heading(role: Role, at: datetime) -> str:
    """Return what stands before the indexed text of a message: who and when."""
    return f"{role} {_date(at)}"


def context(previous: Iterable[tuple[str, str]]) -> str:
    """Return the context column of an observation after others, given as titles and contents, nearest first."""
    beginnings = ((title, content[:CONTEXT_CHARACTERS]) for title, content in previous)
    return "\n".join(f"{indexed_title(title, beginning)}\n{beginning}" for title, beginning in beginnings)


def sub(title: str, content: str) -> str:
    """Return the sub column: forms in a title and content that the index's own splitter cannot see, each once."""
    # Most titles are the first words of the content, whose forms are among those of the content.
    repeated = content.startswith(title) and not content[len(title) : len(title) + 1].strip()
    texts = (content,) if repeated else (title, content)
    return " ".join(dict.fromkeys(form for text in texts for form in hidden_forms(text)))


def _date(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()
