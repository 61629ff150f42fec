"""Messages of past conversations, with speakers and sessions."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import cut, printed_line, stored_key, well_formed
from lamella.domain.validation import aware, in_utc, not_blank

MAX_CALL_CHARACTERS = 500
"""Maximum stored length of a tool call: enough for the action and its target, without the contents of a file."""

MAX_RESULT_CHARACTERS = 2_000
"""Maximum stored length of a tool's result. Results are shown beside messages, but never searched."""

_RESULT_END_CHARACTERS = 500
"""Number of characters reserved for the end of a result, because commands report errors at the end."""

MAX_NAME_CHARACTERS = 100
"""Maximum printed length of a session's name."""

MAX_WAITING_TITLES = 1_000
MAX_ENDS = 10_000
"""Maximum number of titles to store before their records arrive, and of last records to store; see `Batch`."""


class Role(StrEnum):
    """Author of a message."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    THOUGHT = "thought"
    """Reasoning of the assistant before its answer."""
    TOOL = "tool"
    """A call of a tool."""
    TOOL_RESULT = "tool_result"

    @property
    def searched(self) -> bool:
        """True if search includes messages of this role.

        Calls and results of tools would drown out all other messages.
        """
        return self not in (Role.TOOL, Role.TOOL_RESULT)


_RECORD_ENDS = "/"
"""Separator between record id and part number in the key of a message."""


def _named(names: Mapping[str, str]) -> Mapping[str, str]:
    return {stored_key(id): well_formed(name) for id, name in names.items()}


def _ended(ends: Mapping[str, str]) -> Mapping[str, str]:
    return {stored_key(record): stored_key(session) for record, session in ends.items()}


@frozen(kw_only=True)
class MessageDraft:
    """Message from a source. Storage assigns a number later.

    Attributes:
        key: Permanent and unique key, so that adding the same message again changes nothing; see `message_key`.
        session: The client's id of the conversation.
        role: Author of the message.
        text: Text of the message, not blank.
        at: Time of the message.
        client: Name of the client program, if known.
    """

    key: str = field(validator=not_blank, converter=stored_key)
    session: str = field(validator=not_blank, converter=stored_key)
    role: Role
    text: str = field(validator=not_blank, converter=well_formed)
    at: datetime = field(converter=in_utc)
    client: str | None = field(default=None, converter=optional(well_formed))


@frozen(kw_only=True)
class Batch:
    """Part of a source, such as a transcript: messages after a position, and the position after these messages.

    Attributes:
        source: Id of the source.
        position: Position to read the next batch from, in a format that only the reader of the source understands.
        drafts: New messages, in the order of the source.
        names: New names of sessions, keyed by session id.
        titles: New titles of conversations, keyed by the id of the conversation's last record (an entry of a
            transcript). The record may be in another source.
        ends: Session ids, keyed by the id of the session's last record. Left out if this record has a message.
        read: Number of bytes read of the source, for a display of progress.
        skipped: Number of records without messages, keyed by the reason.
        complete: True if the source is read to its current end.
        waiting: True if the client hasn't written the last record of the source completely yet.
    """

    source: str = field(validator=not_blank, converter=stored_key)
    position: str = field(converter=well_formed)
    drafts: tuple[MessageDraft, ...] = ()
    names: Mapping[str, str] = field(factory=dict, converter=_named)
    titles: Mapping[str, str] = field(factory=dict, converter=_named)
    ends: Mapping[str, str] = field(factory=dict, converter=_ended)
    read: int = 0
    skipped: Mapping[str, int] = field(factory=dict)
    complete: bool = True
    waiting: bool = False


@frozen(kw_only=True)
class Message:
    """A stored message.

    Attributes:
        number: Unique number in its project, counting from 1 in the order in which messages are added. It is never
            reused: erased and moved messages leave gaps.
        session: Id of the message's session.
        role: Author of the message.
        text: Text of the message.
        at: Time of the message.
        client: Name of the client program, if known.
    """

    number: int
    session: str
    role: Role
    text: str
    at: datetime = field(converter=in_utc)
    client: str | None = None


@frozen(kw_only=True)
class Session:
    """One conversation of a project.

    Attributes:
        id: Id of the conversation, as given by the client.
        name: Name given by the source, or else the title of the first request, or else the id.
        started_at: Earliest time of a message, not necessarily of the first message.
        ended_at: Latest time of a message.
        messages: Number of messages in the session.
        client: Name of the client program of its last message, if known.
    """

    id: str
    name: str
    started_at: datetime = field(validator=aware)
    ended_at: datetime = field(validator=aware)
    messages: int
    client: str | None = None


def message_key(record: str, part: int) -> str:
    """Return the key of a message: the id of its record in the transcript, and its number in the record."""
    return f"{record}{_RECORD_ENDS}{part}"


def record_of(key: str) -> str:
    """Return the record id in the key of a message; empty if the key contains no record id."""
    return key.rpartition(_RECORD_ENDS)[0]


def is_request(text: str) -> bool:
    """Return True if a human's text is a request to the assistant, not a command to the client or the shell."""
    return not text.startswith(("/", "!"))


def session_name(given: str | None, said: Iterable[str], id: str) -> str:
    """Return the name to display for a session.

    Args:
        given: Name from the session's source, if any.
        said: Texts of the user, in their order. Without a given name, the name is the title of the first request,
            or else of the first text.
        id: Id of the session, used as name if `said` is empty.
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
    """Return the name of a session on one printed line, truncated to leave room for the messages."""
    return cut(printed_line(name), MAX_NAME_CHARACTERS)


def kept(role: Role, text: str) -> str:
    """Truncate a message for storage. Only tool calls and results are truncated.

    Redact secrets first, because a truncated secret is no longer recognised.
    """
    if role is Role.TOOL and len(text) > MAX_CALL_CHARACTERS:
        return cut(text, MAX_CALL_CHARACTERS) + "…"
    left_out = len(text) - MAX_RESULT_CHARACTERS
    if role is not Role.TOOL_RESULT or left_out <= 0:
        return text
    beginning = text[: MAX_RESULT_CHARACTERS - _RESULT_END_CHARACTERS]
    return f"{beginning}\n[... {left_out} characters left out ...]\n{text[-_RESULT_END_CHARACTERS:]}"
