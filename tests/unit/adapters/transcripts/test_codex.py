from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.codex import CodexTranscripts
from tests.unit.adapters.transcripts.samples import (
    HOME,
    SESSION,
    codex,
    codex_item,
    codex_meta,
    codex_said,
    drafts,
    said,
    skipped,
    write,
)

KINDS = "internal_chat_message_metadata_passthrough"


def recorded(folder: Path, *items: dict[str, Any], name: str = "rollout-a.jsonl", **meta: Any) -> CodexTranscripts:
    """A session with these items."""
    write(folder / name, codex_meta(**meta), *items)
    return CodexTranscripts(folder)


def test_sessions_are_found_by_their_names_and_say_where_they_were(tmp_path: Path) -> None:
    day = tmp_path / "2026" / "03" / "02"
    codex(day, SESSION, ["Why does it cool?"])
    write(day / "history.jsonl", {"text": "Why does it cool?"})
    (source,) = CodexTranscripts(tmp_path).sources()
    assert (source.id, source.directory) == (SESSION, Path(HOME))


def test_calls_of_tools_and_thoughts_are_read_as_what_they_are(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        codex_item(1, {"type": "reasoning", "summary": [{"type": "summary_text", "text": "The damper?"}]}),
        codex_item(
            2, {"type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}', "call_id": "1"}
        ),
        codex_item(3, {"type": "function_call_output", "call_id": "1", "output": "kiln.py"}),
        codex_item(4, {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin", "call_id": "2"}),
        codex_item(5, {"type": "custom_tool_call_output", "call_id": "2", "output": '{"output": "Done."}'}),
        codex_item(6, {"type": "function_call", "name": "read", "namespace": "mcp__kiln", "arguments": "{"}),
        codex_item(7, {"type": "function_call_output", "output": [{"type": "input_text", "text": "900 °C"}]}),
        codex_item(8, {"type": "local_shell_call", "action": {"command": ["pwd"]}}),
        codex_item(9, {"type": "function_call_output", "output": {"content": "/home"}}),
    )
    assert said(transcripts) == [
        (Role.THOUGHT, "The damper?"),
        (Role.TOOL, 'shell {"command":["ls"]}'),
        (Role.TOOL_RESULT, "kiln.py"),
        (Role.TOOL, "apply_patch *** Begin"),
        (Role.TOOL_RESULT, "Done."),
        (Role.TOOL, "read {"),
        (Role.TOOL_RESULT, "900 °C"),
        (Role.TOOL, 'shell {"command":["pwd"]}'),
        (Role.TOOL_RESULT, "/home"),
    ]


def test_words_to_the_model_and_repeats_for_the_display_are_skipped(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        codex_said(1, "developer", "You are a potter."),
        codex_said(2, "user", "<environment_context>\n<cwd>/home</cwd>"),
        codex_said(3, "user", "Set by the client.", **{KINDS: {"content_item_kinds": ["skills.instructions"]}}),
        codex_said(4, "user", "# AGENTS.md instructions for /home"),
        codex_said(5, "user", "By me.", "Not.", **{KINDS: {"content_item_kinds": ["user.text", "hook.context"]}}),
        {"timestamp": "2026-03-02T08:00:06Z", "type": "event_msg", "payload": {"type": "agent_message"}},
    )
    assert said(transcripts) == [(Role.HUMAN, "By me.")]
    assert skipped(transcripts) == {"of another kind": 2, "meant for the model only": 4}


def test_calls_of_memory_and_their_results_are_left_out(tmp_path: Path) -> None:
    transcripts = recorded(
        tmp_path,
        codex_item(1, {"type": "function_call", "name": "save", "namespace": "mcp__lamella", "call_id": "call_1"}),
        codex_item(2, {"type": "function_call_output", "call_id": "call_1", "output": "Memory saved."}),
    )
    assert (said(transcripts), skipped(transcripts)) == ([], {"of another kind": 1, "of memory's own tools": 2})


def test_ids_of_the_model_that_come_again_make_no_message_a_copy(tmp_path: Path) -> None:
    answers = [codex_said(number, "assistant", f"Answer {number}.", id="msg_1") for number in (1, 2)]
    recorded(tmp_path, *answers)
    recorded(tmp_path, *answers, id="another", name="rollout-b.jsonl")
    keys = [draft.key for draft in drafts(CodexTranscripts(tmp_path))]
    assert sorted(keys) == [f"{SESSION}:2/0", f"{SESSION}:3/0", "another:2/0", "another:3/0"]


def test_a_fork_has_the_messages_that_it_began_with_under_their_keys(tmp_path: Path) -> None:
    asked = codex_said(1, "user", "Why?", id="msg_01a2025f-e5c2-7c01-9568-3fe8ff9c506d")
    recorded(tmp_path, asked)
    recorded(tmp_path, codex_meta(), asked, id="fork", name="rollout-b.jsonl")
    assert {(draft.key, draft.session) for draft in drafts(CodexTranscripts(tmp_path))} == {
        ("msg_01a2025f-e5c2-7c01-9568-3fe8ff9c506d/0", session) for session in (SESSION, "fork")
    }


def test_who_delegates_to_an_agent_is_no_human(tmp_path: Path) -> None:
    transcripts = recorded(tmp_path, codex_said(1, "user", "Look it up."), source={"subagent": "review"})
    assert said(transcripts) == [(Role.ASSISTANT, "Look it up.")]


@pytest.mark.parametrize("end", ["", "\n", "{broken}\n"])
def test_keys_are_the_same_in_two_parts_and_at_once(tmp_path: Path, end: str) -> None:
    items = [codex_said(number, "user", f"Text {number}.") for number in range(1, 4)]
    transcripts = recorded(tmp_path, items[0])
    file = tmp_path / "rollout-a.jsonl"
    file.write_bytes(file.read_bytes().rstrip() + end.encode())
    (source,) = transcripts.sources()
    first = transcripts.read(source, "")
    with file.open("ab") as more:
        more.write(b"\n")
    write(tmp_path / "rest", *items[1:])
    with file.open("ab") as more:
        more.write((tmp_path / "rest").read_bytes())
    rest = transcripts.read(source, first.position)
    assert (*first.drafts, *rest.drafts) == transcripts.read(source, "").drafts
    assert [draft.text for draft in rest.drafts] == ["Text 2.", "Text 3."]
