"""Parser of the records of a transcript."""

from collections.abc import Callable, Mapping
from itertools import groupby

from attrs import define, field

from lamella.domain.conversations.message import Role
from lamella.domain.text.printing import one_line
from lamella_adapters.transcripts.claude_code import texts
from lamella_adapters.transcripts.records import (
    MAX_ID_CHARACTERS,
    MAX_PARTS,
    OWN_NAME,
    Part,
    Parts,
    Record,
    RecordContent,
    Skipped,
    TranscriptParser,
)
from lamella_adapters.transcripts.texts import joined, part_of

MAX_OPEN_ENDS = 16
"""Last records without words to remember. Most sessions end with one or two."""

_MAX_TITLE_CHARACTERS = 1_000
"""A longer text is not a title. A real one is a line."""

_SYNTHETIC = "<synthetic>"
"""Model of messages written by Claude Code itself, such as about a failure of the API."""


@define
class ClaudeCodeParser(TranscriptParser):
    """Parser of a transcript of Claude Code.

    Attributes:
        titled: True if the user has named the session.
        ends: The sessions of records without words by the record's id, for records that none has followed yet.
    """

    titled: bool = False
    ends: dict[str, str] = field(factory=dict)

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""
        self.at = record.time("timestamp") or self.at
        if name := self._name(record):
            return RecordContent(names=dict([name]))
        if title := _title(record):
            return RecordContent(titles=dict([title]))
        found = self._messages_of(record)
        self._end(record, has_words=bool(found.drafts))
        return found

    def _name(self, record: Record) -> tuple[str, str] | None:
        """Return a session and its name in the record. A model's name doesn't replace the user's."""
        session = one_line(record.text("sessionId"))
        given = one_line(record.text("customTitle")) if record.get("type") == "custom-title" else ""
        if session and given:
            self.titled = True
            return session, given
        made = one_line(record.text("aiTitle")) if record.get("type") == "ai-title" else ""
        return (session, made) if session and made and not self.titled else None

    def _end(self, record: Record, *, has_words: bool) -> None:
        """Remember a record without words, possibly the last one of a conversation."""
        self.ends.pop(record.text("parentUuid"), None)
        id, session = record.text("uuid"), record.text("sessionId")
        if not has_words and 0 < len(id) <= MAX_ID_CHARACTERS and 0 < len(session) <= MAX_ID_CHARACTERS:
            self.ends = dict([*self.ends.items(), (id, session)][-MAX_OPEN_ENDS:])

    def _messages_of(self, record: Record) -> RecordContent:
        parts = _PARTS.get(record.text("type"))
        if parts is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        if record.get("isMeta") is True:
            return RecordContent(skipped=Skipped.FOR_THE_MODEL)
        return self.messages(record.text("uuid"), record.text("sessionId"), parts(record))


def _title(record: Record) -> tuple[str, str] | None:
    """Return the last record of a summary's conversation, and its title."""
    if record.get("type") != "summary":
        return None
    last, title = record.text("leafUuid"), one_line(record.text("summary"))
    plausible = last.strip() and len(last) <= MAX_ID_CHARACTERS and 0 < len(title) <= _MAX_TITLE_CHARACTERS
    return (last, title) if plausible else None


def _of_user(record: Record) -> Parts:
    """Yield the words of a user and the results of tools. Images are part of the words beside them."""
    blocks = _blocks(record)
    for is_result, group in groupby(enumerate(blocks), lambda each: each[1].get("type") == "tool_result"):
        numbered = list(group)
        if is_result:
            yield from ((index, _result(block, record)) for index, block in numbered)
        else:
            yield numbered[0][0], Part(*_said(record, joined([block for _, block in numbered])))


def _of_assistant(record: Record) -> Parts:
    synthetic = record.object("message").get("model") == _SYNTHETIC
    role = Role.SYSTEM if synthetic else Role.ASSISTANT
    for index, block in enumerate(_blocks(record)):
        if block.get("type") in ("text", "thinking", "tool_use"):
            yield index, part_of(role, block)


def _of_system(record: Record) -> Parts:
    role, text = texts.typed(record.text("content"))
    yield 0, Part(Role.SYSTEM if role is Role.HUMAN else role, text)


_PARTS: Mapping[str, Callable[[Record], Parts]] = {
    "user": _of_user,
    "assistant": _of_assistant,
    "system": _of_system,
}


def _said(record: Record, text: str) -> tuple[Role, str]:
    """Return the role and the text of a user's record, not always a person's."""
    if record.get("isCompactSummary") is True:
        return Role.SYSTEM, texts.summary(text)
    role, said = texts.typed(text)
    if role is Role.HUMAN and record.get("isSidechain") is True:
        return Role.ASSISTANT, said
    if role is Role.HUMAN and record.object("origin").get("kind", "human") != "human":
        return Role.SYSTEM, said
    return role, said


def _result(block: Record, record: Record) -> Part:
    server = record.object("mcpMeta").object("_meta").object("io.modelcontextprotocol/serverInfo")
    text = texts.result(block.get("content"))
    return Part(Role.TOOL_RESULT, text, block.text("tool_use_id"), server.get("name") == OWN_NAME)


def _blocks(record: Record) -> list[Record]:
    """Return the parts of a message. A single text is one part."""
    content = record.object("message").get("content")
    if isinstance(content, str):
        return [Record(type="text", text=content)]
    parts = content if isinstance(content, list) else []
    return [Record(each) if isinstance(each, dict) else Record() for each in parts[:MAX_PARTS]]
