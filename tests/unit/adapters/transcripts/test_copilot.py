from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.copilot import CopilotTranscripts
from tests.unit.adapters.transcripts.samples import HOME, SESSION, copilot, copilot_event, said, skipped, write


def recorded(folder: Path, *events: dict[str, Any]) -> CopilotTranscripts:
    """A session with these events."""
    start = copilot_event("session.start", 0, sessionId=SESSION, context={"cwd": HOME})
    write(folder / SESSION / "events.jsonl", start, *events)
    return CopilotTranscripts(folder)


def test_events_say_whose_they_are_and_other_files_are_passed_over(tmp_path: Path) -> None:
    copilot(tmp_path, SESSION, ["How hot?"])
    write(tmp_path / SESSION / "checkpoints.jsonl", {"type": "user.message"})
    (source,) = CopilotTranscripts(tmp_path).sources()
    assert (source.id, source.directory) == (SESSION, Path(HOME))


def test_what_was_typed_is_read_and_not_what_the_model_was_told(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        copilot_event("user.message", 1, content="How hot?", transformedContent="<now/>How hot?"),
        copilot_event("system.message", 2, content="You are a potter."),
        copilot_event("assistant.message", 3, content="I look.", reasoningText="In the file.", toolRequests=[{}]),
        copilot_event("tool.execution_start", 4, toolCallId="1", toolName="view", arguments={"path": "kiln.py"}),
        copilot_event(
            "tool.execution_complete", 5, toolCallId="1", result={"content": "9\nHook.", "detailedContent": "900"}
        ),
        copilot_event("tool.execution_complete", 6, toolCallId="2", success=False, error={"message": "No file."}),
        copilot_event("user.message", 7, content="Look closer.", parentToolCallId="3"),
    )
    assert said(transcripts) == [
        (Role.HUMAN, "How hot?"),
        (Role.THOUGHT, "In the file."),
        (Role.ASSISTANT, "I look."),
        (Role.TOOL, 'view {"path":"kiln.py"}'),
        (Role.TOOL_RESULT, "900"),
        (Role.TOOL_RESULT, "No file."),
        (Role.ASSISTANT, "Look closer."),
    ]


@pytest.mark.parametrize("server", [{"mcpServerName": "lamella"}, {}])
def test_calls_of_memory_and_their_results_are_left_out(tmp_path: Path, server: dict[str, str]) -> None:
    transcripts = recorded(
        tmp_path,
        copilot_event("tool.execution_start", 1, toolCallId="1", toolName="lamella-save", **server),
        copilot_event("tool.execution_complete", 2, toolCallId="1", result={"content": "Memory saved."}),
    )
    assert (said(transcripts), skipped(transcripts)) == ([], {"of another kind": 1, "of memory's own tools": 2})
