"""Reader of exports of claude.ai: `conversations.json`, a list of all conversations of an account.

A conversation is `{uuid, name, created_at, chat_messages}`. A message has `sender` (`human`, `assistant`),
`content` with parts as in `claude_code`, and `attachments` with their text in `extracted_content`. `text` repeats
the content, with a notice in place of parts other than text. Older exports have only `text`.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from attrs import define, evolve, frozen

from lamella.domain.conversations.message import Role
from lamella.domain.text.printing import one_line
from lamella_adapters.transcripts.exports import ExportedTranscripts
from lamella_adapters.transcripts.records import Part, Record, RecordContent, Skipped, TranscriptParser
from lamella_adapters.transcripts.texts import part_of

_ROLES: Mapping[str, Role] = {"human": Role.HUMAN, "assistant": Role.ASSISTANT}


@define
class ClaudeAIParser(TranscriptParser):
    """Parser of an export of claude.ai."""

    def found(self, record: Record) -> RecordContent:
        """Return the messages of a conversation."""
        session, messages = record.text("uuid").strip(), record.get("chat_messages")
        if not isinstance(messages, list):
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        self.at = record.time("created_at")
        found = RecordContent.of(
            [self._message(session, Record(each)) for each in messages if isinstance(each, dict)]
        )
        name = one_line(record.text("name"))
        return evolve(found, names={session: name} if found.drafts and name else {})

    def _message(self, session: str, message: Record) -> RecordContent:
        role = _ROLES.get(message.text("sender"))
        if role is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        self.at = message.time("created_at") or self.at
        id = message.text("uuid")
        key = f"{session}:{id}" if session and id else ""
        return self.messages(key, session, enumerate(_parts(role, message)))


@frozen
class ClaudeAITranscripts(ExportedTranscripts):
    """The conversations of an export of claude.ai."""

    client: ClassVar[str] = "claude.ai"
    parser: ClassVar[type[TranscriptParser]] = ClaudeAIParser


def _parts(role: Role, message: Record) -> Iterator[Part]:
    content = message.objects("content")
    parts = [part_of(role, each) for each in content]
    yield from parts
    # If the content has no words, use `text`, the field of earlier exports.
    if not any(part.role is role and part.text.strip() for part in parts):
        yield Part(role, message.text("text").strip())
    for each in message.objects("attachments"):
        if text := each.text("extracted_content").strip():
            yield Part(role, f"[{one_line(each.text('file_name')) or 'attachment'}]\n{text}")
