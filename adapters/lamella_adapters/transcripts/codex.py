"""Reader of Codex's sessions, one file for each.

A session is `{home}/sessions/{year}/{month}/{day}/rollout-*.jsonl`: one JSON object per line, appended in order of
time. `{home}` is `~/.codex`, or `CODEX_HOME`. As of version 0.169:

- A record is `{timestamp, ordinal, type, payload}`. The first one, `session_meta`, has `id` and `cwd`. A fork
  begins with the records of its parent, under its own id.
- `response_item` is a request to the model or a response: `message` with a role, `reasoning`, `function_call`,
  `custom_tool_call`, `local_shell_call` and their outputs. Messages of the role `developer`, and user messages
  written by the client itself, are meant for the model. In newer versions, the metadata of
  these messages says so. In older versions, they begin with a tag.
- `event_msg` repeats these items for the display. The other records are settings and counts.
- Ids written by the client are unique. The format of the model's ids depends on its server. Some servers use
  `msg_1` in every session, so a short id identifies nothing.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from attrs import define, frozen

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.recorded import SessionTranscripts
from lamella_adapters.transcripts.records import Part, Record, RecordContent, SessionParser, Skipped, parsed
from lamella_adapters.transcripts.texts import call, called, is_own_tool, joined

_UNIQUE_CHARACTERS = 20
"""Minimum length of ids that are assumed to be globally unique. A UUID is longer, `msg_1` is shorter."""

_FOR_THE_MODEL = (
    *("<environment_context>", "<user_instructions>", "<permissions instructions>", "<collaboration_mode>"),
    *("<skill>", "<turn_aborted>", "<subagent_notification>", "# AGENTS.md instructions"),
)
"""Beginnings of text written by the client in the user's name."""


@define
class CodexParser(SessionParser):
    """Parser of a session of Codex.

    Attributes:
        number: Number of records so far, to identify records without a unique id.
        delegated: True if an agent gave the task, not the user.
    """

    number: int = 0
    delegated: bool = False

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""
        self.number += 1
        self.at = record.time("timestamp") or self.at
        kind, payload = record.text("type"), record.object("payload")
        if kind == "session_meta" and not self.session:
            self.session, self.directory = payload.text("id"), payload.text("cwd")
            source = payload.get("source")
            self.delegated = isinstance(source, dict) and "subagent" in source
        part = _PARTS.get(payload.text("type")) if kind == "response_item" else None
        if part is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        found = part(payload)
        if found is None:
            return RecordContent(skipped=Skipped.FOR_THE_MODEL)
        if found.role is Role.HUMAN and self.delegated:
            found = Part(Role.ASSISTANT, found.text)
        id = payload.text("id")
        key = id if len(id) >= _UNIQUE_CHARACTERS else f"{self.session}:{self.number}"
        return self.messages(key, self.session, [(0, found)])


@frozen
class CodexTranscripts(SessionTranscripts):
    """The transcripts of Codex in a file, or in a folder and all folders below it."""

    own = ("Codex", "CODEX_HOME", ".codex", "sessions")
    parser: ClassVar[type[SessionParser]] = CodexParser
    pattern: ClassVar[str] = "rollout-*.jsonl"


def _message(payload: Record) -> Part | None:
    role = payload.text("role")
    content = payload.objects("content")
    if role == "assistant":
        return Part(Role.ASSISTANT, joined(content))
    if role != "user":
        return None
    kinds = payload.object("internal_chat_message_metadata_passthrough").get("content_item_kinds")
    if isinstance(kinds, list) and len(kinds) == len(content):
        content = [each for each, kind in zip(content, kinds, strict=True) if str(kind).startswith("user.")]
    said = [each for each in content if not each.text("text").lstrip().startswith(_FOR_THE_MODEL)]
    return Part(Role.HUMAN, joined(said)) if said else None


def _call(payload: Record) -> Part:
    name, server = payload.text("name"), payload.text("namespace")
    own = is_own_tool(f"{server}__{name}" if server else name)
    text = called(name, payload.text("arguments") or payload.text("input"))
    return Part(Role.TOOL, text, payload.text("call_id"), own)


def _action(name: str, payload: Record) -> Part:
    return Part(Role.TOOL, call(name, payload.get("action")), payload.text("call_id"))


def _output(payload: Record) -> Part:
    """Return the result of a tool call.

    The output is text, a list of parts, or an object with either. The object may be encoded as JSON text.
    """
    output = payload.get("output")
    if isinstance(output, str) and output.startswith("{"):
        inner = parsed(output.encode(errors="replace"))
        output = inner.get("output", output) if isinstance(inner, dict) else output
    if isinstance(output, dict):
        output = output.get("content")
    return Part(Role.TOOL_RESULT, joined(output), payload.text("call_id"))


_PARTS: Mapping[str, Callable[[Record], Part | None]] = {
    "message": _message,
    "reasoning": lambda given: Part(Role.THOUGHT, joined(given.objects("summary") + given.objects("content"))),
    "function_call": _call,
    "function_call_output": _output,
    "custom_tool_call": _call,
    "custom_tool_call_output": _output,
    "local_shell_call": partial(_action, "shell"),
    "local_shell_call_output": _output,
    "web_search_call": partial(_action, "web_search"),
}
