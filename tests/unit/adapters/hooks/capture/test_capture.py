"""Records that hooks write of each event, and events that they skip."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamella_adapters.hooks import run
from lamella_adapters.hooks.run import NO_INPUT, TOO_LARGE, answer  # noqa: F401 - for the table
from lamella_adapters.hooks.session import processes
from lamella_adapters.hooks.session_records import read_record
from tests.unit.adapters.hooks.capture.events import (
    JSON,
    SESSION,
    about,
    edit,
    event,
    every_byte,
    prompt,
    shell,
    spooled,
    told,
)
from tests.unit.adapters.hooks.clients.recorded import RECORDED, recorded
from tests.unit.support.tables import cases


@cases
def test_what_claude_code_tells_of_an_edit_is_kept_without_the_whole_file(data: Path, name: str) -> None:
    real = recorded(f"PostToolUse-{name}")
    told(real)
    (record,) = spooled(data)
    assert set(record) == {
        *("version", "client", "event", "directory", "session", "transcript", "tool", "path", "hunks", "reason")
    }
    assert (record["tool"], record["session"]) == (real["tool_name"], real["session_id"])
    assert (record["directory"], record["transcript"]) == (real["cwd"], real["transcript_path"])


@cases
def test_other_events_and_tools_are_not_captured(data: Path, given: dict[str, Any]) -> None:
    assert told(given) == b""
    assert spooled(data) == []


@cases
def test_a_long_command_says_git_where_it_does_further_on(data: Path, end: str, kept: str) -> None:
    long = "cat > a.py <<END\n" + "x" * 300
    told(shell(long + end))
    (capture,) = spooled(data)
    assert capture["command"] == long[:192] + kept


@cases
def test_edits_of_a_sub_agent_have_its_own_task_as_reason(
    data: Path, tmp_path: Path, content: object, reason: str
) -> None:
    folder = tmp_path / "t" / "subagents"
    folder.mkdir(parents=True)
    message = {"role": "user", "content": content}
    record = {"type": "user", "isSidechain": True, "agentId": "a1", "message": message}
    (folder / "agent-a1.jsonl").write_text(f"{json.dumps(record)}\n{{}}\n")
    by = {"agent_id": "a1", "transcript_path": str(tmp_path / "t.jsonl")}
    told(prompt("Make it a letter further."), edit() | by, shell("make format") | by)
    assert [each["reason"] for each in spooled(data)] == [reason] * 2


@cases
def test_no_prompt_is_done_for_the_reason_of_the_one_before(data: Path, said: str, reason: str) -> None:
    told(prompt("Make it a letter further."), prompt(said), edit())
    assert spooled(data)[0]["reason"] == reason


@pytest.mark.parametrize("conversations", ["true", "false"])
def test_an_edit_tells_when_the_user_asked_even_if_not_for_what(
    data: Path, monkeypatch: pytest.MonkeyPatch, conversations: str
) -> None:
    monkeypatch.setenv("CLAUDE_PLUGIN_OPTION_CAPTURE_CONVERSATIONS", conversations)
    told(prompt("Make it a letter further."))
    os.utime(data / "claude-code" / f"{SESSION}.reason", (7, 7))
    told(edit(), prompt("<task-notification>done</task-notification>"), shell("make"), prompt("Next."), edit())
    records = [json.loads(each.read_text()) for each in sorted((data / "spool").iterdir())]
    first, second, third = (each["asked"] for each in records if "asked" in each)
    assert (first, second) == (7, 7)
    assert third > second


@cases
def test_whatever_the_user_asks_for_it_is_known_when(
    data: Path, monkeypatch: pytest.MonkeyPatch, said: str, off: str
) -> None:
    told(prompt("Make it a letter further."))
    file = data / "claude-code" / f"{SESSION}.reason"
    os.utime(file, (7, 7))
    monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{off}", "false")
    told(prompt(said))
    assert file.stat().st_mtime > 7


@cases
def test_a_session_that_no_file_can_be_called_by_is_none(data: Path, session: object) -> None:
    told({**prompt("Make it a letter further."), "session_id": session}, {**edit(), "session_id": session})
    (record,) = spooled(data)
    assert "session" not in record
    assert record["reason"] == ""
    assert not (data / "claude-code").exists()


def test_every_event_records_the_session(data: Path) -> None:
    told(recorded("SessionStart-startup"), event("SessionStart", source="clear"))
    started = processes.started(os.getpid())
    record = read_record(str(data / "claude-code" / f"{os.getpid()}.json"))
    assert record == (started, recorded("SessionStart-startup")["session_id"], SESSION)


@pytest.mark.parametrize("pid", [None, "", "-1", "12x", "99999999999999999999"])
def test_without_a_process_of_the_client_no_session_is_recorded(
    data: Path, monkeypatch: pytest.MonkeyPatch, pid: str | None
) -> None:
    monkeypatch.delenv("CLAUDE_PID")
    if pid is not None:
        monkeypatch.setenv("CLAUDE_PID", pid)
    told(edit())
    assert len(spooled(data)) == 1
    assert not (data / "claude-code").exists()


@cases
def test_input_that_cannot_be_used_is_told_of(
    data: Path, monkeypatch: pytest.MonkeyPatch, line: bytes | None, why: str
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/home/dev/project")
    assert answer(line) == b""
    fields = {"version": 2, "client": "claude_code", "event": "other", "directory": "/home/dev/project"}
    assert spooled(data) == [{**fields, "skipped": why}]


def test_a_link_to_a_file_for_secrets_is_one(data: Path, tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to(tmp_path / ".env")
    told(edit(str(tmp_path / "settings")))
    assert spooled(data) == [about(skipped="a file for secrets")]


def test_with_edits_and_conversations_switched_off_there_is_no_trace(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EDITS", "CONVERSATIONS"):
        monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_CAPTURE_{name}", "false")
    told(prompt("Make it a letter further."), edit(), shell("make"), event("Stop"), event("SessionEnd"))
    assert answer(b"garbage") == b""
    assert not (data / "spool").exists()
    assert b"letter" not in every_byte(data)


KEYS = ("session_id", "transcript_path", "cwd", "prompt", "tool_name", "tool_input", "tool_response")
EVENTS = ("PostToolUse", "UserPromptSubmit", "Stop", "SessionStart", "PreToolUse", "SomethingNew")


@given(
    st.sampled_from(EVENTS),
    st.dictionaries(st.sampled_from(KEYS), JSON | st.just("/a") | st.sampled_from(["Edit", "Write", "Bash"])),
    st.dictionaries(st.sampled_from(["file_path", "command", "structuredPatch", "content"]), JSON),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
def test_events_of_any_shape_do_no_harm(
    data: Path, name: str, fields: dict[str, Any], tool: dict[str, Any]
) -> None:
    assert told({"tool_input": tool, "tool_response": tool, **fields, "hook_event_name": name}) == b""
    assert all(each.read_bytes().endswith(b"}\n") for each in data.glob("spool/*"))


def test_a_hook_gives_up_before_the_client_does() -> None:
    hooks = json.loads((RECORDED.parents[2] / "plugin" / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    seconds = {hook["timeout"] for event in hooks.values() for matcher in event for hook in matcher["hooks"]}
    assert min(seconds) > run.SECONDS
