"""Reader of exports of ChatGPT: `conversations.json`, a list of all conversations of an account.

A conversation is `{conversation_id, title, create_time, current_node, mapping}`. `mapping` has the nodes of a
tree, keyed by id. A node has its `parent` and a `message`. Each regenerated answer, and each edited question,
began another branch. The final conversation consists of `current_node` and its ancestors. The other branches were
abandoned.

- A message has `author.role`, `content`, `recipient` and `create_time`, in seconds or null. `recipient` is `all`
  or a tool. `parts` of the content are texts, and objects for images and sounds.
- Messages with `is_visually_hidden_from_conversation` were never shown to the user. Neither were messages with the
  user's profile and custom instructions, which are recognised by their `content_type`.
"""

from collections.abc import Iterator
from typing import ClassVar

from attrs import define, evolve, frozen

from lamella.domain.conversations.message import Role
from lamella.domain.text.printing import one_line
from lamella_adapters.transcripts.exports import ExportedTranscripts
from lamella_adapters.transcripts.records import MAX_PARTS, Part, Record, RecordContent, Skipped, TranscriptParser

_ABOUT_THE_USER = ("user_editable_context", "model_editable_context")
_NO_TITLE = ("", "New chat")


@define
class ChatGPTParser(TranscriptParser):
    """Parser of an export of ChatGPT."""

    def found(self, record: Record) -> RecordContent:
        """Return the messages of a conversation, oldest first."""
        session = (record.text("conversation_id") or record.text("id")).strip()
        mapping = record.object("mapping")
        if not mapping:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        self.at = record.seconds("create_time") or record.seconds("update_time")
        path = dict(reversed(list(_upwards(mapping, record.text("current_node")))))
        found = RecordContent.of(
            [
                *(self._message(session, id, node.object("message")) for id, node in path.items()),
                *(_abandoned(mapping.object(id)) for id in mapping if id not in path),
            ]
        )
        title = one_line(record.text("title"))
        return evolve(found, names={session: title} if found.drafts and title not in _NO_TITLE else {})

    def _message(self, session: str, node: str, message: Record) -> RecordContent:
        content = message.object("content")
        hidden = message.object("metadata").get("is_visually_hidden_from_conversation") is True
        if hidden or content.text("content_type") in _ABOUT_THE_USER:
            return RecordContent(skipped=Skipped.FOR_THE_MODEL if _has_words(content) else Skipped.EMPTY)
        # Messages without a time get the time of the previous message.
        self.at = message.seconds("create_time") or self.at
        id = message.text("id") or node
        return self.messages(f"{session}:{id}" if session else "", session, [(0, _part(message, content))])


@frozen
class ChatGPTTranscripts(ExportedTranscripts):
    """The conversations of an export of ChatGPT."""

    client: ClassVar[str] = "ChatGPT"
    parser: ClassVar[type[TranscriptParser]] = ChatGPTParser


def _upwards(mapping: Record, id: str) -> Iterator[tuple[str, Record]]:
    """Yield the nodes from `id` up to the root, with their ids. If `id` is unknown, begin at the last leaf."""
    if id not in mapping:
        id = next((each for each in reversed(mapping) if not mapping.object(each).get("children")), "")
    seen = set[str]()
    while id in mapping and id not in seen:
        seen.add(id)
        node = mapping.object(id)
        yield id, node
        id = node.text("parent")


def _abandoned(node: Record) -> RecordContent:
    has_words = _has_words(node.object("message").object("content"))
    return RecordContent(skipped=Skipped.ABANDONED if has_words else Skipped.EMPTY)


def _has_words(content: Record) -> bool:
    return bool(_text(content)) or content.text("content_type") in _ABOUT_THE_USER


def _part(message: Record, content: Record) -> Part:
    role, kind = message.object("author").text("role"), content.text("content_type")
    text = _text(content)
    if role == "user":
        return Part(Role.HUMAN, text)
    if role == "tool":
        return Part(Role.TOOL_RESULT, text)
    if role != "assistant":
        return Part(Role.SYSTEM, text)
    if kind in ("thoughts", "reasoning_recap"):
        return Part(Role.THOUGHT, text)
    recipient = message.text("recipient")
    return Part(Role.ASSISTANT, text) if recipient in ("", "all") else Part(Role.TOOL, f"{recipient} {text}")


def _text(content: Record) -> str:
    """Return the text of a message: the texts of its parts, or the text field of a message without parts."""
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n".join(filter(None, map(_text_of_part, parts[:MAX_PARTS]))).strip()
    thoughts = [
        "\n".join(filter(None, (each.text("summary"), each.text("content"))))
        for each in content.objects("thoughts")
    ]
    return ("\n".join(thoughts) or next(filter(None, (content.text(key) for key in _TEXTS)), "")).strip()


_TEXTS = ("text", "content", "result")


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    record = Record(part)
    kind = record.text("content_type")
    return record.text("text") or next((f"[{each}]" for each in ("image", "audio", "video") if each in kind), "")
