import os
import re
from pathlib import Path
from typing import Any

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.cursor import CursorTranscripts
from tests.unit.adapters.transcripts.samples import SESSION, cursor, drafts, said, skipped, write


def recorded(folder: Path, *records: Any) -> CursorTranscripts:
    """A conversation with these records."""
    write(folder / "agent-transcripts" / SESSION / f"{SESSION}.jsonl", *records)
    return CursorTranscripts(folder)


def slug_of(folder: Path) -> str:
    """The name that Cursor gives to a directory."""
    return re.sub("[^A-Za-z0-9]+", "-", str(folder)).strip("-")


def test_the_directory_is_the_only_one_on_disk_that_is_written_so(tmp_path: Path) -> None:
    project, projects = tmp_path / "my.kiln" / "src-2", tmp_path / "projects"
    project.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path)
    cursor(projects / slug_of(project), SESSION, ["How hot?"])
    cursor(projects / "no-such-place", "other", ["How hot?"])
    write(projects / slug_of(project) / "mcp.jsonl", {})
    sources = CursorTranscripts(projects).sources()
    assert {each.id: each.directory for each in sources} == {SESSION: project, "other": None}
    (tmp_path / "my-kiln" / "src-2").mkdir(parents=True)
    assert [each.directory for each in CursorTranscripts(projects).sources()] == [None, None]


def test_questions_calls_and_results_are_read_at_the_time_of_writing(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        {
            "role": "user",
            "message": {"content": [{"type": "text", "text": "<now/><user_query>\nHow hot?\n</user_query>"}]},
        },
        {"role": "assistant", "message": {"content": "I look."}},
        {
            "role": "assistant",
            "message": {"content": [{"type": "tool_use", "name": "Read", "input": {"path": "a"}}]},
        },
        {
            "role": "user",
            "message": {"content": [{"type": "tool_result", "content": [{"type": "text", "text": "900"}]}]},
        },
        {"role": "system", "message": {"content": "Be brief."}},
    )
    os.utime(tmp_path / "agent-transcripts" / SESSION / f"{SESSION}.jsonl", (1_800_000_000, 1_800_000_000))
    assert said(transcripts) == [
        (Role.HUMAN, "How hot?"),
        (Role.ASSISTANT, "I look."),
        (Role.TOOL, 'Read {"path":"a"}'),
        (Role.TOOL_RESULT, "900"),
    ]
    assert {draft.at.timestamp() for draft in drafts(transcripts)} == {1_800_000_000}
    assert skipped(transcripts) == {"of another kind": 1}


def test_calls_of_memory_are_left_out(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "1", "name": "mcp_lamella_recall", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "1", "content": "Nothing."}
    transcripts = recorded(
        tmp_path,
        *({"role": "assistant", "message": {"content": [each]}} for each in (call, result)),
    )
    assert (said(transcripts), skipped(transcripts)) == ([], {"of memory's own tools": 2})
