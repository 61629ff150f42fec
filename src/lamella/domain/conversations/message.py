"""Messages of past conversations: who said what in which session."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

from lamella.domain.memories.observation import aware, not_blank
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import cut_point, printed_line, well_formed

MAX_CALL_CHARACTERS = 500
"""What is kept of a call of a tool: enough to see what was done to what, not the file that was written."""

MAX_RESULT_CHARACTERS = 2_000
"""What is kept of a tool's result: it is shown beside messages, in a few thousand tokens, and never searched."""

_RESULT_END_CHARACTERS = 500
"""How much of that is the result's end, where commands say what went wrong."""

MAX_NAME_CHARACTERS = 100
"""How much of a session's name is printed beside its messages."""

MAX_WAITING_TITLES = 1_000
MAX_ENDS = 10_000
"""How many titles wait for the record that they are given to, and how many records without words are known."""


class Role(StrEnum):
    """Who a message is from."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    THOUGHT = "thought"
    """What the assistant thought before it spoke."""
    TOOL = "tool"
    """A call of a tool."""
    TOOL_RESULT = "tool_result"

    @property
    def searched(self) -> bool:
        """Whether its words are looked for: calls of tools and what they gave would drown what was said."""
        return self not in (Role.TOOL, Role.TOOL_RESULT)


_RECORD_ENDS = "/"
"""What stands in a key between the record that a message is in and which part of it the message is."""


def _all_well_formed(names: Mapping[str, str]) -> Mapping[str, str]:
    return {well_formed(id): well_formed(name) for id, name in names.items()}


@frozen(kw_only=True)
class MessageDraft:
    """A message as its source has it, before storage has given it its number.

    `key` names it in its source for ever, so that adding it again doubles nothing; see `message_key`. `session` is
    the client's own id of the conversation, `at` the moment when it was said.
    """

    key: str = field(validator=not_blank, converter=well_formed)
    session: str = field(validator=not_blank, converter=well_formed)
    role: Role
    text: str = field(validator=not_blank, converter=well_formed)
    at: datetime = field(validator=aware)


@frozen(kw_only=True)
class Batch:
    """The next part of a source: what of it is new since a position, and the position behind it.

    `drafts` are in the order of the source. `names` are the names that sessions were given since, by session id.
    `titles` are what conversations were called since by one who knows only the record that they ended with, in
    this source or another: by the id of that record. `ends` are such records that hold no message, each with its
    session.

    `position` is the source's own, to be handed back to it when it is read on; `read` tells it in bytes, for
    whoever shows progress. `skipped` counts the records that are no messages, by the reason. `complete` is whether
    everything that is there now has been read; `waiting` whether what is left is the beginning of a record that
    is still being written.
    """

    source: str = field(validator=not_blank, converter=well_formed)
    position: str = field(converter=well_formed)
    drafts: tuple[MessageDraft, ...] = ()
    names: Mapping[str, str] = field(factory=dict, converter=_all_well_formed)
    titles: Mapping[str, str] = field(factory=dict, converter=_all_well_formed)
    ends: Mapping[str, str] = field(factory=dict, converter=_all_well_formed)
    read: int = 0
    skipped: Mapping[str, int] = field(factory=dict)
    complete: bool = True
    waiting: bool = False


@frozen(kw_only=True)
class Message:
    """A stored message. `number` is unique in its project, rises in the order of adding, and is never reused."""

    number: int
    session: str
    role: Role
    text: str
    at: datetime = field(validator=aware)


@frozen(kw_only=True)
class Session:
    """One conversation of a project, from its first message to its last.

    `name` is what its source calls it, else made of what the human asked for first, else its id.
    """

    id: str
    name: str
    started_at: datetime = field(validator=aware)
    ended_at: datetime = field(validator=aware)
    messages: int


def message_key(record: str, part: int) -> str:
    """The key of a message: the id of the record that it is in, and which part of that it is."""
    return f"{record}{_RECORD_ENDS}{part}"


def record_of(key: str) -> str:
    """The id of the record that the message with this key is in; empty where the key names none."""
    return key.rpartition(_RECORD_ENDS)[0]


def is_request(text: str) -> bool:
    """Whether a human asks for something with it: not with a command to the client, nor with one for the shell."""
    return not text.startswith(("/", "!"))


def session_name(given: str | None, said: Iterable[str], id: str) -> str:
    """What a session is called: its given name, else the title of the first request in what the human `said`.

    Where there was none yet, it is called after what was said first, where nothing was said by its id.
    """
    if given:
        return given
    first: str | None = None
    for text in said:
        if is_request(text):
            return generated_title(text)
        first = first or text
    return generated_title(first) if first else id


def printed_name(name: str) -> str:
    """The name of a session as part of one printed line; one that goes on for ever would hide what was said."""
    printed = printed_line(name)
    return printed[: cut_point(printed, MAX_NAME_CHARACTERS)]


def kept(role: Role, text: str) -> str:
    """What is kept of a message: all of it, unless a tool did it.

    Secrets have to be taken out before: of one that was cut, the rest could not be told.
    """
    if role is Role.TOOL and len(text) > MAX_CALL_CHARACTERS:
        return text[: cut_point(text, MAX_CALL_CHARACTERS)] + "…"
    left_out = len(text) - MAX_RESULT_CHARACTERS
    if role is not Role.TOOL_RESULT or left_out <= 0:
        return text
    beginning = text[: MAX_RESULT_CHARACTERS - _RESULT_END_CHARACTERS]
    return f"{beginning}\n[... {left_out} characters left out ...]\n{text[-_RESULT_END_CHARACTERS:]}"
