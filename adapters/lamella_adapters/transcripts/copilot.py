"""Reader of GitHub Copilot CLI's sessions, one file for each.

A session is `{home}/session-state/{session id}/events.jsonl`: one JSON object per line, appended in order of time.
`{home}` is `~/.copilot`, or `COPILOT_HOME`. As of version 1.0.102:

- A record is `{type, data, id, timestamp, parentId}`. The first one, `session.start`, has the session's id and the
  working directory.
- `user.message` has the user's text in `content`; `transformedContent` adds words for the model.
- `assistant.message` has text, and calls of tools, repeated by `tool.execution_start` and answered by
  `tool.execution_complete`. A result's `content` may end with words from hooks to the model, unlike its
  `detailedContent`.
- Records with `parentToolCallId` belong to a sub-agent. Its user messages are written by the agent.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from attrs import define, frozen

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.recorded import SessionTranscripts
from lamella_adapters.transcripts.records import OWN_NAME, Part, Record, RecordContent, SessionParser, Skipped
from lamella_adapters.transcripts.texts import call, is_own_tool


@define
class CopilotParser(SessionParser):
    """Parser of a session of Copilot CLI."""

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""
        self.at = record.time("timestamp") or self.at
        kind, data = record.text("type"), record.object("data")
        if kind == "session.start" and not self.session:
            self.session = data.text("sessionId")
            self.directory = data.object("context").text("cwd")
        parts = _PARTS.get(kind)
        if parts is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        return self.messages(record.text("id"), self.session, enumerate(parts(data)))


@frozen
class CopilotTranscripts(SessionTranscripts):
    """The transcripts of Copilot CLI in a file, or in a folder and all folders below it."""

    own = ("Copilot CLI", "COPILOT_HOME", ".copilot", "session-state")
    parser: ClassVar[type[SessionParser]] = CopilotParser
    pattern: ClassVar[str] = "events.jsonl"


def _of_user(data: Record) -> list[Part]:
    role = Role.ASSISTANT if data.text("parentToolCallId") else Role.HUMAN
    return [Part(role, data.text("content").strip())]


def _of_assistant(data: Record) -> list[Part]:
    return [
        Part(Role.THOUGHT, data.text("reasoningText").strip()),
        Part(Role.ASSISTANT, data.text("content").strip()),
    ]


def _call(data: Record) -> list[Part]:
    name = data.text("toolName")
    own = data.text("mcpServerName") == OWN_NAME or is_own_tool(name)
    return [Part(Role.TOOL, call(name, data.get("arguments")), data.text("toolCallId"), own)]


def _result(data: Record) -> list[Part]:
    result = data.object("result")
    text = result.text("detailedContent") or result.text("content")
    text = text or data.object("error").text("message")
    return [Part(Role.TOOL_RESULT, text, data.text("toolCallId"))]


_PARTS: Mapping[str, Callable[[Record], list[Part]]] = {
    "user.message": _of_user,
    "assistant.message": _of_assistant,
    "tool.execution_start": _call,
    "tool.execution_complete": _result,
}
