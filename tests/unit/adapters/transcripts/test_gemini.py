import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.gemini import GeminiTranscripts
from tests.unit.adapters.transcripts.samples import HOME, SESSION, at, drafts, gemini_said, said, skipped, write

HEAD = {"sessionId": SESSION, "startTime": at(0), "kind": "main"}
INJECTED = {"$set": {"messages": [gemini_said(0, "user", [{"text": "<session_context>Today is Monday."}])]}}


def recorded(folder: Path, *records: Any) -> GeminiTranscripts:
    """A session with these records."""
    write(folder / "session-1.jsonl", HEAD, *records)
    return GeminiTranscripts(folder)


def called(**more: Any) -> dict[str, Any]:
    """The call of a tool that is done."""
    output = [{"functionResponse": {"response": {"output": "900 °C"}}}]
    return {"id": "read_1", "name": "read_file", "args": {"path": "kiln.py"}, "result": output, **more}


def test_projects_say_where_a_session_was(tmp_path: Path) -> None:
    """Place sessions by the slug of their folder, by the hash of earlier versions, or not at all."""
    other = "/home/ada/glaze"
    hashed = sha256(other.encode()).hexdigest()
    for slug in ("kiln", hashed, "unknown"):
        write(tmp_path / "tmp" / slug / "chats" / "session-1.jsonl", {**HEAD, "sessionId": slug})
    (tmp_path / "projects.json").write_text(json.dumps({"projects": {HOME: "kiln", other: "glaze"}}), "utf-8")
    sources = GeminiTranscripts(tmp_path / "tmp").sources()
    assert {each.id: each.directory for each in sources} == {
        "kiln": Path(HOME),
        hashed: Path(other),
        "unknown": None,
    }


@pytest.mark.parametrize("projects", ["", "[]", "{}", '{"projects": 7}', '{"projects": {"a": 7}}', "[" * 100_000])
def test_projects_that_cannot_be_read_place_nothing(tmp_path: Path, projects: str) -> None:
    write(tmp_path / "tmp" / "kiln" / "chats" / "session-1.jsonl", HEAD)
    (tmp_path / "projects.json").write_text(projects, "utf-8")
    (source,) = GeminiTranscripts(tmp_path).sources()
    assert source.directory is None


def test_a_message_that_comes_again_replaces_the_one_before(tmp_path: Path) -> None:
    first = gemini_said(2, "gemini", "I look.", thoughts=[{"subject": "Damper", "description": "Is it open?"}])
    again = {**first, "content": "I look it up.", "toolCalls": [called()]}
    transcripts = recorded(
        tmp_path, gemini_said(1, "user", "How hot?"), first, {"$set": {"lastUpdated": 1}}, again
    )
    assert said(transcripts) == [
        (Role.HUMAN, "How hot?"),
        (Role.THOUGHT, "Damper\nIs it open?"),
        (Role.ASSISTANT, "I look it up."),
        (Role.TOOL, 'read_file {"path":"kiln.py"}'),
        (Role.TOOL_RESULT, "900 °C"),
    ]


def test_what_is_done_since_the_last_import_is_new_and_the_rest_is_known(tmp_path: Path) -> None:
    first = gemini_said(2, "gemini", "I look.", toolCalls=[called(result=None)])
    before = drafts(recorded(tmp_path, first))
    after = drafts(recorded(tmp_path, first, {**first, "toolCalls": [called()]}))
    assert [draft.text for draft in before] == ["I look.", 'read_file {"path":"kiln.py"}']
    assert (after[:2], [draft.text for draft in after[2:]]) == (before, ["900 °C"])


def test_words_to_the_model_and_repeats_of_results_are_skipped(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        INJECTED,
        gemini_said(1, "user", [{"text": "How hot?"}, {"text": "<hook_context>Be brief.</hook_context>"}]),
        gemini_said(2, "user", [{"functionResponse": {"response": {"output": "900"}}}]),
        gemini_said(3, "info", "Update available."),
        gemini_said(4, "user", [{"text": "<hook_context>What is known.</hook_context>\n\nAnd how long?"}]),
    )
    assert said(transcripts) == [(Role.HUMAN, "How hot?"), (Role.HUMAN, "And how long?")]
    assert skipped(transcripts) == {"of another kind": 2, "meant for the model only": 1, "without words": 1}


def test_only_the_first_text_may_be_the_clients(tmp_path: Path) -> None:
    set_later = {"$set": {"messages": [gemini_said(2, "user", "Asked before.")]}}
    assert said(recorded(tmp_path, INJECTED, gemini_said(1, "user", "How hot?"), set_later)) == [
        (Role.HUMAN, "How hot?"),
        (Role.HUMAN, "Asked before."),
    ]


def test_calls_of_memory_are_left_out(tmp_path: Path) -> None:
    transcripts = recorded(tmp_path, gemini_said(1, "gemini", "", toolCalls=[called(name="mcp_lamella_save")]))
    assert (said(transcripts), skipped(transcripts)) == ([], {"of another kind": 1, "of memory's own tools": 1})


def test_who_delegates_to_an_agent_is_no_human(tmp_path: Path) -> None:
    write(tmp_path / "session-1.jsonl", {**HEAD, "kind": "subagent"}, gemini_said(1, "user", "Look it up."))
    assert said(GeminiTranscripts(tmp_path)) == [(Role.ASSISTANT, "Look it up.")]
