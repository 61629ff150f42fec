"""Records that hooks write of each event, and events that they skip.

Over 300 lines, because tests of all events read the same records, and share the secrets that must not be in them.
"""

import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamella_adapters.claude_code.hooks import run
from lamella_adapters.claude_code.hooks.run import NO_INPUT, TOO_LARGE, answer
from lamella_adapters.claude_code.session import processes
from lamella_adapters.claude_code.session.record_file import read_record

RECORDED = Path(__file__).parents[3] / "fixtures" / "hooks"
SESSION = "0c0ffee0-0000-4000-8000-000000000000"
TOKEN = "ghp_" + "a1B2" * 9
CONTEXT = "lamella_adapters.claude_code.hooks.context"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory of a machine on which nothing is set, in a Claude Code that is this process."""
    for name in [each for each in os.environ if each.startswith(("CLAUDE", "LAMELLA"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LAMELLA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    says_nothing = ModuleType(CONTEXT)
    says_nothing.answer = lambda *_: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, CONTEXT, says_nothing)
    return tmp_path / "data"


def recorded(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    return told


def event(name: str, **more: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "transcript_path": "/home/dev/t.jsonl",
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        **more,
    }


def edit(path: str = "/home/dev/project/main.py", *lines: str) -> dict[str, Any]:
    patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": list(lines or ("-a", "+b"))}
    return event(
        "PostToolUse",
        tool_name="Edit",
        tool_input={"file_path": path, "old_string": "a", "new_string": "b"},
        tool_response={"originalFile": "the whole file", "structuredPatch": [patch]},
    )


def shell(command: str, name: str = "PostToolUse") -> dict[str, Any]:
    return event(name, tool_name="Bash", tool_input={"command": command}, tool_response={"stdout": "output"})


def prompt(text: str) -> dict[str, Any]:
    return event("UserPromptSubmit", prompt=text)


def told(*events: dict[str, Any]) -> bytes:
    """Return the hook's output for the last of the events."""
    said = b""
    for each in events:
        said = answer(json.dumps(each).encode() + b"\n")
    return said


def spooled(data: Path) -> list[dict[str, Any]]:
    """Return the records in the spool without the times."""
    folder = data / "spool"
    records = [json.loads(each.read_text()) for each in sorted(folder.iterdir())] if folder.exists() else []
    assert all(0 <= record.pop("asked", 0) <= record.pop("at") for record in records)
    return records


def about(name: str = "PostToolUse", **more: Any) -> dict[str, Any]:
    """A whole record but for its time."""
    return {
        "version": 1,
        "event": name,
        "directory": "/home/dev/project",
        "session": SESSION,
        "transcript": "/home/dev/t.jsonl",
        **more,
    }


def every_byte(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


def test_an_edit_is_kept_with_the_reason_the_user_gave_last(data: Path) -> None:
    told(prompt("Make it a letter further."), edit(), prompt("Now do the other file too. Please."), edit())
    assert spooled(data) == [
        about(tool="Edit", path="/home/dev/project/main.py", hunks="@@ -1,1 +1,1 @@\n-a\n+b", reason=reason)
        for reason in ("Make it a letter further.", "Now do the other file too.")
    ]


@pytest.mark.parametrize("took", [0, 1500])
def test_how_long_a_command_took_is_kept(data: Path, took: int) -> None:
    told({**shell("make"), "duration_ms": took})
    assert spooled(data) == [about(tool="Bash", command="make", took=took, reason="")]


@pytest.mark.parametrize("took", [-1, 2**40, True, "3", 1.5, None])
def test_an_odd_time_that_a_command_took_is_not(data: Path, took: object) -> None:
    told({**shell("make"), "duration_ms": took})
    assert spooled(data) == [about(tool="Bash", command="make", reason="")]


@pytest.mark.parametrize(
    "name", ["edit", "edit-all", "write-create", "write-update", "notebook-insert", "notebook-replace"]
)
def test_what_claude_code_tells_of_an_edit_is_kept_without_the_whole_file(data: Path, name: str) -> None:
    real = recorded(f"PostToolUse-{name}")
    told(real)
    (record,) = spooled(data)
    assert set(record) == {
        *("version", "event", "directory", "session", "transcript", "tool", "path", "hunks", "reason")
    }
    assert (record["tool"], record["session"]) == (real["tool_name"], real["session_id"])
    assert (record["directory"], record["transcript"]) == (real["cwd"], real["transcript_path"])


@pytest.mark.parametrize(
    ("real", "kept"),
    [
        ("PreCompact", {}),
        ("Stop", {}),
        ("SessionEnd-other", {}),
        ("SessionEnd-clear", {}),
    ],
)
def test_after_words_the_transcript_has_news(data: Path, real: str, kept: dict[str, Any]) -> None:
    told(recorded(real))
    (record,) = spooled(data)
    assert set(record) == {"version", "event", "directory", "session", "transcript", *kept}


@pytest.mark.parametrize(
    "real",
    [
        "PostToolUse-own-tool",
        "PreToolUse-own-tool",
        "PreToolUse-edit",
        "PreToolUse-bash",
        "SessionStart-startup",
        "SessionStart-compact",
        "UserPromptSubmit",
    ],
)
def test_other_events_are_not_captured(data: Path, real: str) -> None:
    assert told(recorded(real)) == b""
    assert spooled(data) == []


@pytest.mark.parametrize(
    "tool", ["Read", "Task", "mcp__lamella__recall", "mcp__plugin_lamella_lamella__save_memory"]
)
def test_no_other_tool_is_captured_whatever_it_says(data: Path, tool: str) -> None:
    told({**edit(), "tool_name": tool})
    assert spooled(data) == []


def test_a_command_is_kept_unless_it_only_reads(data: Path) -> None:
    long = "make " + "x" * 300
    told(shell("git status"), shell("make format"), shell("make test", "PostToolUseFailure"), shell(long))
    assert spooled(data) == [
        about(tool="Bash", command="make format", reason=""),
        about("PostToolUseFailure", tool="Bash", command="make test", reason=""),
        about(tool="Bash", command=long[:200], reason=""),
    ]


@pytest.mark.parametrize(
    ("end", "kept"), [(" && git commit -m done", " ... git"), (" && make digit", "xxxxxxxx"), ("", "xxxxxxxx")]
)
def test_a_long_command_says_git_where_it_does_further_on(data: Path, end: str, kept: str) -> None:
    long = "cat > a.py <<END\n" + "x" * 300
    told(shell(long + end))
    (capture,) = spooled(data)
    assert capture["command"] == long[:192] + kept


@pytest.mark.parametrize("name", ["edit", "write-create", "write-update", "notebook-replace"])
@pytest.mark.parametrize("failure", ["PostToolUseFailure", "PermissionDenied", "PermissionRequest"])
def test_an_edit_that_failed_or_was_denied_is_not_kept(data: Path, name: str, failure: str) -> None:
    told({**recorded(f"PostToolUse-{name}"), "hook_event_name": failure, "error": "It can't be written."})
    assert spooled(data) == []


def test_an_edit_that_changed_nothing_is_not_kept(data: Path) -> None:
    told({**edit(), "tool_response": {"structuredPatch": []}}, {**edit(), "tool_input": {}})
    assert spooled(data) == []


@pytest.mark.parametrize("path", ["/home/dev/project/.env", "deploy/id_rsa", "/home/dev/.ssh/config"])
def test_of_a_file_for_secrets_nothing_is_kept(data: Path, path: str) -> None:
    told(edit(path, "-a", "+swordfish"))
    assert spooled(data) == [about(skipped="a file for secrets")]
    assert path.rpartition("/")[2].encode() not in every_byte(data)


def test_a_link_to_a_file_for_secrets_is_one(data: Path, tmp_path: Path) -> None:
    (tmp_path / "settings").symlink_to(tmp_path / ".env")
    told(edit(str(tmp_path / "settings")))
    assert spooled(data) == [about(skipped="a file for secrets")]


def test_where_the_project_lies_makes_none_of_its_files_private(data: Path) -> None:
    inside = {**edit("/home/dev/.aws/project/main.py"), "cwd": "/home/dev/.aws/project"}
    beside = {**edit("/home/dev/.aws/x"), "cwd": "/home/dev/.a"}
    told(inside, beside)
    assert [record.get("skipped") for record in spooled(data)] == [None, "a file for secrets"]


def test_secrets_are_taken_out_of_all_that_is_kept(data: Path) -> None:
    told(
        prompt(f"Use {TOKEN} for the upload. <private>My name is Ulrich.</private>"),
        edit(f"/home/dev/project/{TOKEN}.py", "-a", f"+token = '{TOKEN}'", "+<private>", "+Ulrich", "+</private>"),
        shell(f"make upload TOKEN={TOKEN}"),
        {**event("Stop"), "transcript_path": f"/home/{TOKEN}/t.jsonl", "cwd": f"/home/{TOKEN}"},
        {**event("Stop"), "session_id": TOKEN},
    )
    kept = every_byte(data)
    assert len(spooled(data)) == 4
    assert b"Use [redacted] for the upload." in kept
    assert TOKEN.encode() not in kept
    assert b"Ulrich" not in kept


def test_a_secret_at_the_edge_of_what_is_kept_is_not_kept_in_part(data: Path) -> None:
    told(shell(f"make {'x' * 180} {TOKEN}"), prompt(f"{'x' * 290} {TOKEN}"), edit("a.py", f"+{'x' * 290} {TOKEN}"))
    assert len(spooled(data)) == 2
    assert b"ghp_" not in every_byte(data)


def test_what_the_client_says_in_the_users_place_is_no_reason(data: Path) -> None:
    told(prompt("Make it a letter further."), prompt("<task-notification>done</task-notification>"))
    told(edit())
    assert spooled(data)[0]["reason"] == "Make it a letter further."


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("<Button> must be blue everywhere.", "<Button> must be blue everywhere."),
        ("<div> and <system-reminder> are tags.", "<div> and <system-reminder> are tags."),
        ("<", "<"),
        (" ", ""),
        ("<command-name>/init</command-name>", ""),
        ("<system-reminder>Be brief.</system-reminder>", ""),
        ("<local-command-stdout>done</local-command-stdout>", ""),
        ("<bash-input>make</bash-input>", ""),
    ],
)
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
    first, second, third = (json.loads(each.read_text())["asked"] for each in sorted((data / "spool").iterdir()))
    assert (first, second) == (7, 7)
    assert third > second


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ("Next.", ""),
        ("Next.", "CAPTURE_EDITS"),
        ("Next.", "CAPTURE_CONVERSATIONS"),
        ("", ""),
        ("go on", ""),
        ("<private>Ulrich</private>", ""),
        ("/lamella:recall letters", ""),
        ("<div> is a letter too far.", ""),
        ("<command-name>/init</command-name>", ""),
    ],
)
def test_whatever_the_user_asks_for_it_is_known_when(
    data: Path, monkeypatch: pytest.MonkeyPatch, said: str, off: str
) -> None:
    told(prompt("Make it a letter further."))
    file = data / "claude-code" / f"{SESSION}.reason"
    os.utime(file, (7, 7))
    monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{off}", "false")
    told(prompt(said))
    assert file.stat().st_mtime > 7


def test_a_prompt_that_is_private_leaves_no_reason(data: Path) -> None:
    told(prompt("Make it a letter further."), prompt("<private>Ulrich</private>"), edit())
    assert spooled(data)[0]["reason"] == "[private]"


@pytest.mark.parametrize(
    "session", ["", "../../etc/passwd", "a/b", ".", "a.b", "a\0b", "\u00e4", "x" * 201, 7, None]
)
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


def test_the_project_that_was_set_is_kept(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMELLA_PROJECT", " other ")
    told(event("Stop"))
    assert spooled(data) == [about("Stop", project="other")]


@pytest.mark.parametrize("folder", ["relative", "", "~/x"])
def test_nothing_is_kept_outside_of_a_folder(data: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "also/relative")
    told({**edit(), "cwd": folder})
    assert spooled(data) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (None, TOO_LARGE),
        (b"", NO_INPUT),
        (b"garbage\xff", NO_INPUT),
        (b"{}", NO_INPUT),
        (b'{"hook_event_name": 7}', NO_INPUT),
    ],
)
def test_input_that_cannot_be_used_is_told_of(
    data: Path, monkeypatch: pytest.MonkeyPatch, line: bytes | None, why: str
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/home/dev/project")
    assert answer(line) == b""
    assert spooled(data) == [{"version": 1, "event": "unknown", "directory": "/home/dev/project", "skipped": why}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
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


class TestSwitches:
    """Captures that the user has switched off, which leave no trace."""

    ALL = (prompt("Make it a letter further."), edit(), shell("make"), event("Stop"), event("SessionEnd"))

    def left(self, data: Path, monkeypatch: pytest.MonkeyPatch, *off: str) -> list[tuple[str, str | None]]:
        """The events that are kept, and their reasons."""
        for name in off:
            monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{name}", "false")
        told(*self.ALL)
        return [(record["event"], record.get("reason")) for record in spooled(data)]

    def test_a_session_begins_with_a_note_of_what_is_off(
        self, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told(event("SessionStart"))
        assert spooled(data) == []
        for name in ("CAPTURE_EDITS", "CONTEXT_AT_START"):
            monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{name}", "false")
        told(event("SessionStart"))
        assert [record["skipped"] for record in spooled(data)] == ["switched off: capture_edits, context_at_start"]

    def test_edits(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.left(data, monkeypatch, "CAPTURE_EDITS") == [("Stop", None), ("SessionEnd", None)]
        assert b"letter" not in every_byte(data)

    def test_conversations(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told(prompt("An older letter is no reason."))
        assert self.left(data, monkeypatch, "CAPTURE_CONVERSATIONS") == [("PostToolUse", "")] * 2

    def test_both(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.left(data, monkeypatch, "CAPTURE_EDITS", "CAPTURE_CONVERSATIONS") == []
        assert answer(b"garbage") == b""
        assert not (data / "spool").exists()
        assert b"letter" not in every_byte(data)


class TestContext:
    """Hooks that give context."""

    TEXT = 'It says "h\u00e9llo".\n\ud800' + "x" * 22

    @pytest.fixture(autouse=True)
    def _says(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        del data
        says = ModuleType(CONTEXT)
        says.answer = self.answered  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, CONTEXT, says)

    def answered(self, event: str, payload: dict[str, Any], directory: str) -> str | None:
        assert payload["hook_event_name"] == event
        assert directory == os.environ["LAMELLA_DATA_DIR"]
        return self.TEXT

    @pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "PreToolUse"])
    def test_what_is_said_is_json_and_its_tokens_are_counted(self, data: Path, name: str) -> None:
        said = json.loads(told(event(name)))
        text = self.TEXT.replace("\ud800", "\ufffd")
        assert said == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
        assert spooled(data) == [about(name, injected=17)]

    @pytest.mark.parametrize("name", ["PostToolUse", "Stop", "SessionEnd", "PreCompact", "Unknown"])
    def test_other_events_are_never_answered(self, name: str) -> None:
        assert told(event(name)) == b""

    @pytest.mark.parametrize(
        ("name", "option"),
        [
            ("SessionStart", "CONTEXT_AT_START"),
            ("UserPromptSubmit", "CONTEXT_AT_PROMPT"),
            ("PreToolUse", "WARN_BEFORE_EDITS"),
        ],
    )
    def test_each_is_switched_off_by_its_own_option(
        self, data: Path, monkeypatch: pytest.MonkeyPatch, name: str, option: str
    ) -> None:
        monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{option}", "False")
        said = {each: bool(told(event(each))) for each in ("SessionStart", "UserPromptSubmit", "PreToolUse")}
        assert said == {each: each != name for each in said}
        kept = [record["event"] for record in spooled(data) if "injected" in record]
        assert kept == [each for each in said if each != name]

    @pytest.mark.parametrize("nothing", [None, ""])
    def test_silence_is_nothing_at_all(
        self, data: Path, monkeypatch: pytest.MonkeyPatch, nothing: str | None
    ) -> None:
        monkeypatch.setattr(sys.modules[CONTEXT], "answer", lambda *_: nothing)
        assert told(event("SessionStart")) == b""
        assert spooled(data) == []

    @pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, ImportError])
    def test_a_failure_is_silence_and_keeps_nothing_from_being_captured(
        self, data: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
    ) -> None:
        def fails(*_: object) -> None:
            raise error

        monkeypatch.setattr(sys.modules[CONTEXT], "answer", fails)
        assert told(prompt("Make it a letter further.")) == b""
        told(edit())
        assert spooled(data)[0]["reason"] == "Make it a letter further."

    def test_what_cannot_be_written_down_is_said_all_the_same(self, data: Path) -> None:
        data.touch()
        assert json.loads(told(event("SessionStart")))["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_a_hook_gives_up_before_the_client_does() -> None:
    hooks = json.loads((RECORDED.parents[2] / "plugin" / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    seconds = {hook["timeout"] for event in hooks.values() for matcher in event for hook in matcher["hooks"]}
    assert min(seconds) > run.SECONDS
