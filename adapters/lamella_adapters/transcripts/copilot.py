"""Reader of the sessions that GitHub Copilot CLI keeps, one file for each.

A session is `{home}/session-state/{session id}/events.jsonl`: one JSON object a line, appended as things happen.
`{home}` is `~/.copilot`, or `COPILOT_HOME`. As of version 1.0.102:

- A record is `{type, data, id, timestamp, parentId}`. The first one, `session.start`, has the session's id and
  the working directory.
- `user.message` has what the user typed in `content`; `transformedContent` adds words to the model.
- `assistant.message` has text, and the calls of tools, which `tool.execution_start` repeats and
  `tool.execution_complete` answers. A result's `content` may end with words of hooks to the model, its
  `detailedContent` doesn't.
- Those with `parentToolCallId` are of a sub-agent, whose user is the agent.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from attrs import define, frozen

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.recorded import SessionTranscripts, place_of
from lamella_adapters.transcripts.records import (
    OWN_NAME,
    Part,
    Record,
    RecordContent,
    SessionCourse,
    Skipped,
    object_in,
    text_in,
    time,
)
from lamella_adapters.transcripts.texts import call, is_own_tool


def open_transcripts(path: Path | None) -> "CopilotTranscripts":
    """Return the transcripts in a file or folder, by default those that Copilot CLI keeps for this user.

    Raises:
        TranscriptsUnreadableError: No path is given, and the user has no home.
    """
    kept = path or place_of("Copilot CLI", "COPILOT_HOME", ".copilot") / "session-state"
    return CopilotTranscripts(kept, named=path is not None)


@define
class CopilotCourse(SessionCourse):
    """The course of a session of Copilot CLI."""

    def found(self, record: Record) -> RecordContent:
        """Return the content of the next record."""
        self.at = time(record.get("timestamp")) or self.at
        kind, data = text_in(record, "type"), object_in(record, "data")
        if kind == "session.start" and not self.session:
            self.session = text_in(data, "sessionId")
            self.directory = text_in(object_in(data, "context"), "cwd")
        parts = _PARTS.get(kind)
        if parts is None:
            return RecordContent(skipped=Skipped.NO_MESSAGE)
        return self.messages(text_in(record, "id"), self.session, enumerate(parts(data)))


@frozen
class CopilotTranscripts(SessionTranscripts):
    """The transcripts of Copilot CLI in a file, or in a folder and all folders below it."""

    parser: ClassVar[type[SessionCourse]] = CopilotCourse
    pattern: ClassVar[str] = "events.jsonl"


def _of_user(data: Record) -> list[Part]:
    role = Role.ASSISTANT if text_in(data, "parentToolCallId") else Role.HUMAN
    return [Part(role, text_in(data, "content").strip())]


def _of_assistant(data: Record) -> list[Part]:
    return [
        Part(Role.THOUGHT, text_in(data, "reasoningText").strip()),
        Part(Role.ASSISTANT, text_in(data, "content").strip()),
    ]


def _call(data: Record) -> list[Part]:
    name = text_in(data, "toolName")
    own = text_in(data, "mcpServerName") == OWN_NAME or is_own_tool(name)
    return [Part(Role.TOOL, call(name, data.get("arguments")), text_in(data, "toolCallId"), own)]


def _result(data: Record) -> list[Part]:
    result = object_in(data, "result")
    text = text_in(result, "detailedContent") or text_in(result, "content")
    text = text or text_in(object_in(data, "error"), "message")
    return [Part(Role.TOOL_RESULT, text, text_in(data, "toolCallId"))]


_PARTS: Mapping[str, Callable[[Record], list[Part]]] = {
    "user.message": _of_user,
    "assistant.message": _of_assistant,
    "tool.execution_start": _call,
    "tool.execution_complete": _result,
}
