"""One record of a transcript: the messages in it, or why there are none."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from attrs import define, field, frozen

from lamella.domain.conversations.message import MessageDraft, Role, message_key
from lamella.domain.text.printing import one_line
from lamella_adapters.claude_code.transcripts import texts

Record = Mapping[str, Any]

_DECODER = json.JSONDecoder()

MAX_OPEN_CALLS = 64
"""Calls of memory's own tools whose results are awaited; a client makes a handful at once."""

MAX_PARTS = 1_000
"""How many parts of a message are read; a real one has a handful."""

MAX_OPEN_ENDS = 16
"""How many records without words are kept in mind that none came after yet; most sessions end with one or two."""

_MAX_ID_CHARACTERS = 100
_MAX_TITLE_CHARACTERS = 1_000
"""What is longer is no title; a real one is a line."""

_OWN_NAME = "lamella"
_SYNTHETIC = "<synthetic>"
"""What stands for the model where Claude Code itself says something in its place, such as that the API failed."""


class Skipped(StrEnum):
    """Why a record gives no message."""

    NO_MESSAGE = "of another kind"
    BROKEN = "broken"
    TOO_LARGE = "too large"
    INCOMPLETE = "without id, session or time"
    FOR_THE_MODEL = "meant for the model only"
    EMPTY = "without words"
    OWN = "of memory's own tools"


@frozen
class Found:
    """What is in a record: messages, the name of a session, or the reason why there is nothing.

    `titles` are names too, by a record of the session.
    """

    drafts: tuple[MessageDraft, ...] = ()
    names: Mapping[str, str] = field(factory=dict)
    titles: Mapping[str, str] = field(factory=dict)
    skipped: Skipped | None = None


@define
class Course:
    """What has to be known of earlier records to understand the next one.

    `at` is the time of the last record that had one, `open_calls` are the ids of calls of memory's own tools
    whose results are still to come, and `titled` is whether the user has named the session.
    `ends` are the latest records without words that none came after yet, each with its session.
    """

    at: datetime | None = None
    open_calls: list[str] = field(factory=list)
    titled: bool = False
    ends: dict[str, str] = field(factory=dict)

    def follow(self, line: bytes | None) -> Found:
        """What is in the next record, given its line or None where that is too long. No line raises."""
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
        self._end(record, said=bool(found.drafts))
        return found

    def _name(self, record: Record) -> tuple[str, str] | None:
        """The session that this record names, and what it is called. The user's word goes before the model's."""
        session = one_line(string(record, "sessionId"))
        given = one_line(string(record, "customTitle")) if record.get("type") == "custom-title" else ""
        if session and given:
            self.titled = True
            return session, given
        made = one_line(string(record, "aiTitle")) if record.get("type") == "ai-title" else ""
        return (session, made) if session and made and not self.titled else None

    def _end(self, record: Record, *, said: bool) -> None:
        """Keeps in mind a record that may become the last one of a conversation, unless its words are stored."""
        self.ends.pop(string(record, "parentUuid"), None)
        id, session = string(record, "uuid"), string(record, "sessionId")
        if not said and 0 < len(id) <= _MAX_ID_CHARACTERS and 0 < len(session) <= _MAX_ID_CHARACTERS:
            self.ends = dict([*self.ends.items(), (id, session)][-MAX_OPEN_ENDS:])

    def _messages(self, record: Record) -> Found:
        parts = _PARTS.get(string(record, "type"))
        if parts is None:
            return Found(skipped=Skipped.NO_MESSAGE)
        if record.get("isMeta") is True:
            return Found(skipped=Skipped.FOR_THE_MODEL)
        id, session = string(record, "uuid"), string(record, "sessionId")
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
        """Whether it is a call of one of memory's own tools or its result, which memory must not remember."""
        if part.role is Role.TOOL and part.own:
            if 0 < len(part.call) <= _MAX_ID_CHARACTERS:
                self.open_calls = [*self.open_calls, part.call][-MAX_OPEN_CALLS:]
            return True
        if part.role is Role.TOOL_RESULT and part.call in self.open_calls:
            self.open_calls.remove(part.call)
            return True
        return part.own


def _title(record: Record) -> tuple[str, str] | None:
    """The record that a summary sums up the conversation before, and what it calls that."""
    if record.get("type") != "summary":
        return None
    last, title = string(record, "leafUuid"), one_line(string(record, "summary"))
    plausible = last.strip() and len(last) <= _MAX_ID_CHARACTERS and 0 < len(title) <= _MAX_TITLE_CHARACTERS
    return (last, title) if plausible else None


@frozen
class Part:
    """Something said in a record. `call` is the id of the call that it is, or is the result of."""

    role: Role
    text: str
    call: str = ""
    own: bool = False


Parts = Iterator[tuple[int, Part]]
"""What is said in a record, and the number of each piece in it."""


def _of_user(record: Record) -> Parts:
    """The words of a user, and what tools gave; images stand with the words that they came with."""
    blocks = _blocks(record)
    for is_result, group in groupby(enumerate(blocks), lambda each: each[1].get("type") == "tool_result"):
        numbered = list(group)
        if is_result:
            yield from ((index, _result(block, record)) for index, block in numbered)
        else:
            yield numbered[0][0], Part(*_said(record, texts.joined(block for _, block in numbered)))


def _of_assistant(record: Record) -> Parts:
    synthetic = _mapping(record, "message").get("model") == _SYNTHETIC
    for index, block in enumerate(_blocks(record)):
        kind = block.get("type")
        if kind == "text":
            role = Role.SYSTEM if synthetic else Role.ASSISTANT
            yield index, Part(role, string(block, "text").strip())
        elif kind == "thinking":
            yield index, Part(Role.THOUGHT, string(block, "thinking").strip())
        elif kind == "tool_use":
            name = string(block, "name")
            text = texts.call(name, block.get("input"))
            yield index, Part(Role.TOOL, text, string(block, "id"), _is_own_tool(name))


def _of_system(record: Record) -> Parts:
    role, text = texts.typed(string(record, "content"))
    yield 0, Part(Role.SYSTEM if role is Role.HUMAN else role, text)


_PARTS: Mapping[str, Callable[[Record], Parts]] = {
    "user": _of_user,
    "assistant": _of_assistant,
    "system": _of_system,
}


def _said(record: Record, text: str) -> tuple[Role, str]:
    """Who said the words of a user's record, and what: not all of them are a person's."""
    if record.get("isCompactSummary") is True:
        return Role.SYSTEM, texts.summary(text)
    role, said = texts.typed(text)
    if role is Role.HUMAN and record.get("isSidechain") is True:
        return Role.ASSISTANT, said
    if role is Role.HUMAN and _mapping(record, "origin").get("kind", "human") != "human":
        return Role.SYSTEM, said
    return role, said


def _result(block: Record, record: Record) -> Part:
    server = _mapping(_mapping(_mapping(record, "mcpMeta"), "_meta"), "io.modelcontextprotocol/serverInfo")
    text = texts.result(block.get("content"))
    return Part(Role.TOOL_RESULT, text, string(block, "tool_use_id"), server.get("name") == _OWN_NAME)


def _is_own_tool(name: str) -> bool:
    """Whether it is a tool of a server that was registered as lamella, by itself or in a plugin."""
    return name.startswith("mcp__") and _OWN_NAME in name.split("__")[1]


def _blocks(record: Record) -> list[Record]:
    """The parts of a message; a text alone is one."""
    content = _mapping(record, "message").get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    parts = content if isinstance(content, list) else []
    return [each if isinstance(each, dict) else {} for each in parts[:MAX_PARTS]]


def _mapping(record: Record, name: str) -> Record:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def string(record: Record, name: str) -> str:
    """The text that a record has as `name`; empty where it has none."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def time(value: object) -> datetime | None:
    """A moment in ISO 8601, in UTC; None where it isn't one, or not one in every zone in which it may be shown."""
    if not isinstance(value, str):
        return None
    try:
        given = datetime.fromisoformat(value)
        moment = given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if MINYEAR < moment.year < MAXYEAR else None


def is_record(line: bytes | None) -> bool:
    """Whether a line without its end is a record already: an object that is complete goes on with nothing."""
    return line is not None and line.rstrip().endswith(b"}") and isinstance(parsed(line), dict)


def parsed(line: bytes) -> object:
    """The JSON value of a line; None where it is none that can be read."""
    try:
        return json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None


def one_after_another(line: bytes) -> Sequence[bytes]:
    """The JSON objects that a line is made of; none where anything else is in it."""
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
