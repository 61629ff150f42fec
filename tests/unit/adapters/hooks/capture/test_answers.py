"""Hooks that give context."""

import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lamella_adapters.hooks.clients import Event
from tests.unit.adapters.hooks.capture.events import (
    CONTEXT,
    KINDS,
    SESSION,
    about,
    edit,
    event,
    prompt,
    spooled,
    told,
)
from tests.unit.support.tables import cases


class TestContext:
    """Hooks that give context."""

    TEXT = 'It says "h\u00e9llo".\n\ud800' + "x" * 22

    @pytest.fixture(autouse=True)
    def _says(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        del data
        says = ModuleType(CONTEXT)
        says.answer = self.answered  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, CONTEXT, says)

    def answered(self, event: Event, directory: str) -> tuple[str, list[str]]:
        assert event.session == SESSION
        assert directory == os.environ["LAMELLA_DATA_DIR"]
        return self.TEXT, ["a" * 32, "b" * 32]

    @pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "PreToolUse"])
    def test_what_is_said_is_json_and_its_tokens_are_counted(self, data: Path, name: str) -> None:
        said = json.loads(told(event(name)))
        text = self.TEXT.replace("\ud800", "\ufffd")
        assert said == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
        assert spooled(data) == [about(name, injected=17, shown=f"{'a' * 32} {'b' * 32}")]

    @pytest.mark.parametrize("name", ["PostToolUse", "Stop", "SessionEnd", "PreCompact", "Unknown"])
    def test_other_events_are_never_answered(self, name: str) -> None:
        assert told(event(name)) == b""

    @cases
    def test_each_is_switched_off_by_its_own_option(
        self, data: Path, monkeypatch: pytest.MonkeyPatch, name: str, option: str
    ) -> None:
        monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{option}", "False")
        said = {each: bool(told(event(each))) for each in ("SessionStart", "UserPromptSubmit", "PreToolUse")}
        assert said == {each: each != name for each in said}
        kept = [record["event"] for record in spooled(data) if "injected" in record]
        assert kept == [KINDS[each] for each in said if each != name]

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

    @pytest.mark.parametrize("captures", ["true", "false"])
    def test_silence_because_time_ran_out_is_counted(
        self, data: Path, monkeypatch: pytest.MonkeyPatch, captures: str
    ) -> None:
        def hangs(*_: object) -> None:
            raise TimeoutError

        for option in ("CAPTURE_EDITS", "CAPTURE_CONVERSATIONS"):
            monkeypatch.setenv(f"CLAUDE_PLUGIN_OPTION_{option}", captures)
        monkeypatch.setattr(sys.modules[CONTEXT], "answer", hangs)
        assert told(event("SessionStart")) == b""
        assert spooled(data) == [about("SessionStart", skipped="no context at session start: time ran out")]

    def test_what_cannot_be_written_down_is_said_all_the_same(self, data: Path) -> None:
        data.touch()
        assert json.loads(told(event("SessionStart")))["hookSpecificOutput"]["hookEventName"] == "SessionStart"
