"""Parser of the records of a transcript."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from attrs import define, field, frozen

from lamella.domain.conversations.message import MessageDraft, Role, message_key
from lamella.domain.text.printing import one_line
from lamella_adapters.claude_code.hooks.payload import object_in, text_in
from lamella_adapters.claude_code.transcripts import texts

Record = dict[str, Any]

_DECODER = json.JSONDecoder()

MAX_OPEN_CALLS = 64
"""Calls of memory's own tools that are remembered until their results come. A client makes a handful at once."""

MAX_PARTS = 1_000
"""Parts of a message that are read. A real one has a handful."""

MAX_OPEN_ENDS = 16
"""Last records without words that are remembered. Most sessions end with one or two."""

_MAX_ID_CHARACTERS = 100
_MAX_TITLE_CHARACTERS = 1_000
"""A longer text is not a title. A real one is a line."""

_OWN_NAME = "lamella"
_SYNTHETIC = "<synthetic>"
"""Model of messages that Claude Code itself writes, such as that the API failed."""


class Skipped(StrEnum):
    """The reason why a record has no message."""

    NO_MESSAGE = "of another kind"
    BROKEN = "broken"
    TOO_LARGE = "too large"
    INCOMPLETE = "without id, session or time"
    FOR_THE_MODEL = "meant for the model only"
    EMPTY = "without words"
    OWN = "of memory's own tools"


@frozen
class Found:
    """The content of a record: messages, the name of a session, or the reason why there is nothing.

    Attributes:
        drafts: The messages.
        names: Names of sessions by the session's id.
        titles: Names of sessions by the id of a record of the session.
        skipped: The reason why there are no messages.
    """

    drafts: tuple[MessageDraft, ...] = ()
    names: Mapping[str, str] = field(factory=dict)
    titles: Mapping[str, str] = field(factory=dict)
    skipped: Skipped | None = None


@define
class Course:
    """The state of earlier records that is needed to understand the next one.

    Attributes:
        at: The time of the last record that has one.
        open_calls: Ids of calls of memory's own tools whose results have not come yet.
        titled: True if the user has named the session.
        ends: The sessions of records without words by the record's id, for records that none has followed yet.
    """

    at: datetime | None = None
    open_calls: list[str] = field(factory=list)
    titled: bool = False
    ends: dict[str, str] = field(factory=dict)

    def follow(self, line: bytes | None) -> Found:
        """Return the content of the next record's line, which is None if it is too long. Never raises."""
        if line is None:
            return Found(skipped=Skipped.TOO_LARGE)
        if line.isspace():
            return Found()
        record = parsed(line)
        try:
            return self._found(record) if isinstance(record, dict) else Found(skipped=Skipped.BROKEN)
        except RecursionError:
            return Found(skipped=Skipped.BROKEN)

    def _found(self, record: Record) -> Found:
        self.at = time(record.get("timestamp")) or self.at
        if name := self._name(record):
            return Found(names=dict([name]))
        if title := _title(record):
            return Found(titles=dict([title]))
        found = self._messages(record)
        self._end(record, has_words=bool(found.drafts))
        return found

    def _name(self, record: Record) -> tuple[str, str] | None:
        """Return a session and the name that the record gives it. The user's name is not replaced by a model's."""
        session = one_line(text_in(record, "sessionId"))
        given = one_line(text_in(record, "customTitle")) if record.get("type") == "custom-title" else ""
        if session and given:
            self.titled = True
            return session, given
        made = one_line(text_in(record, "aiTitle")) if record.get("type") == "ai-title" else ""
        return (session, made) if session and made and not self.titled else None

    def _end(self, record: Record, *, has_words: bool) -> None:
        """Remember a record without words, which may become the last one of a conversation."""
        self.ends.pop(text_in(record, "parentUuid"), None)
        id, session = text_in(record, "uuid"), text_in(record, "sessionId")
        if not has_words and 0 < len(id) <= _MAX_ID_CHARACTERS and 0 < len(session) <= _MAX_ID_CHARACTERS:
            self.ends = dict([*self.ends.items(), (id, session)][-MAX_OPEN_ENDS:])

    def _messages(self, record: Record) -> Found:
        parts = _PARTS.get(text_in(record, "type"))
        if parts is None:
            return Found(skipped=Skipped.NO_MESSAGE)
        if record.get("isMeta") is True:
            return Found(skipped=Skipped.FOR_THE_MODEL)
        id, session = text_in(record, "uuid"), text_in(record, "sessionId")
        if not id.strip() or not session.strip() or self.at is None:
            return Found(skipped=Skipped.INCOMPLETE)
        drafts: list[MessageDraft] = []
        own = False
        for index, part in parts(record):
            if self._own(part):
                own = True
            elif part.text.strip():
                drafts.append(
                    MessageDraft(
                        key=message_key(id, index), session=session, role=part.role, text=part.text, at=self.at
                    )
                )
        nothing = Skipped.OWN if own else Skipped.EMPTY
        return Found(tuple(drafts), skipped=None if drafts else nothing)

    def _own(self, part: "Part") -> bool:
        """Return True for calls and results of memory's own tools, which are not stored."""
        if part.role is Role.TOOL and part.own:
            if 0 < len(part.call) <= _MAX_ID_CHARACTERS:
                self.open_calls = [*self.open_calls, part.call][-MAX_OPEN_CALLS:]
            return True
        if part.role is Role.TOOL_RESULT and part.call in self.open_calls:
            self.open_calls.remove(part.call)
            return True
        return part.own


def _title(record: Record) -> tuple[str, str] | None:
    """Return the last record of the conversation that a summary describes, and the title that it has."""
    if record.get("type") != "summary":
        return None
    last, title = text_in(record, "leafUuid"), one_line(text_in(record, "summary"))
    plausible = last.strip() and len(last) <= _MAX_ID_CHARACTERS and 0 < len(title) <= _MAX_TITLE_CHARACTERS
    return (last, title) if plausible else None


@frozen
class Part:
    """A part of a message. `call` is the id of the tool call that it is, or is the result of."""

    role: Role
    text: str
    call: str = ""
    own: bool = False


Parts = Iterator[tuple[int, Part]]
"""Parts of a record with their numbers in it."""


def _of_user(record: Record) -> Parts:
    """Yield the words of a user and the results of tools. Images are part of the words that they came with."""
    blocks = _blocks(record)
    for is_result, group in groupby(enumerate(blocks), lambda each: each[1].get("type") == "tool_result"):
        numbered = list(group)
        if is_result:
            yield from ((index, _result(block, record)) for index, block in numbered)
        else:
            yield numbered[0][0], Part(*_said(record, texts.joined(block for _, block in numbered)))


def _of_assistant(record: Record) -> Parts:
    synthetic = object_in(record, "message").get("model") == _SYNTHETIC
    for index, block in enumerate(_blocks(record)):
        kind = block.get("type")
        if kind == "text":
            role = Role.SYSTEM if synthetic else Role.ASSISTANT
            yield index, Part(role, text_in(block, "text").strip())
        elif kind == "thinking":
            yield index, Part(Role.THOUGHT, text_in(block, "thinking").strip())
        elif kind == "tool_use":
            name = text_in(block, "name")
            text = texts.call(name, block.get("input"))
            yield index, Part(Role.TOOL, text, text_in(block, "id"), _is_own_tool(name))


def _of_system(record: Record) -> Parts:
    role, text = texts.typed(text_in(record, "content"))
    yield 0, Part(Role.SYSTEM if role is Role.HUMAN else role, text)


_PARTS: Mapping[str, Callable[[Record], Parts]] = {
    "user": _of_user,
    "assistant": _of_assistant,
    "system": _of_system,
}


def _said(record: Record, text: str) -> tuple[Role, str]:
    """Return the role and the text of a user's record, which need not be a person's."""
    if record.get("isCompactSummary") is True:
        return Role.SYSTEM, texts.summary(text)
    role, said = texts.typed(text)
    if role is Role.HUMAN and record.get("isSidechain") is True:
        return Role.ASSISTANT, said
    if role is Role.HUMAN and object_in(record, "origin").get("kind", "human") != "human":
        return Role.SYSTEM, said
    return role, said


def _result(block: Record, record: Record) -> Part:
    server = object_in(object_in(object_in(record, "mcpMeta"), "_meta"), "io.modelcontextprotocol/serverInfo")
    text = texts.result(block.get("content"))
    return Part(Role.TOOL_RESULT, text, text_in(block, "tool_use_id"), server.get("name") == _OWN_NAME)


def _is_own_tool(name: str) -> bool:
    """Return True if the tool's server is registered as lamella, alone or in a plugin."""
    return name.startswith("mcp__") and _OWN_NAME in name.split("__")[1]


def _blocks(record: Record) -> list[Record]:
    """Return the parts of a message. A text alone is one part."""
    content = object_in(record, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    parts = content if isinstance(content, list) else []
    return [each if isinstance(each, dict) else {} for each in parts[:MAX_PARTS]]


def time(value: object) -> datetime | None:
    """Return a timestamp in ISO 8601 in UTC. None if it is none, or can't be shown in every time zone."""
    if not isinstance(value, str):
        return None
    try:
        given = datetime.fromisoformat(value)
        timestamp = given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return timestamp if MINYEAR < timestamp.year < MAXYEAR else None


def is_record(line: bytes | None) -> bool:
    """Return True if a line without its end is a whole record: nothing can follow a complete object."""
    return line is not None and line.rstrip().endswith(b"}") and isinstance(parsed(line), dict)


def parsed(line: bytes) -> object:
    """Return the JSON value of a line, None if it can't be parsed."""
    try:
        return json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def one_after_another(line: bytes) -> Sequence[bytes]:
    """Return the JSON objects that a line is made of, empty if it has anything else."""
    text, at, found = line.decode(errors="replace").strip(), 0, list[bytes]()
    try:
        while at < len(text):
            value, end = _DECODER.raw_decode(text, at)
            if not isinstance(value, dict):
                return ()
            found.append(text[at:end].encode())
            at = len(text) - len(text[end:].lstrip())
    except (ValueError, RecursionError):
        return ()
    return found
