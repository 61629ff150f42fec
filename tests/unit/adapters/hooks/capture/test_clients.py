"""Captures of clients other than Claude Code."""

import json
import os
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lamella_adapters.hooks.clients import Event
from lamella_adapters.hooks.run import answer
from lamella_adapters.hooks.session_records import folder_of, last_called
from tests.unit.adapters.hooks.capture.events import CONTEXT, JSON, spooled, told
from tests.unit.adapters.hooks.clients.recorded import RECORDED, recorded

CLIENTS = sorted(each.name for each in RECORDED.iterdir() if each.is_dir())


def captures(data: Path) -> list[tuple[str, str]]:
    """The kind of each record, and what it captures."""
    names = ("path", "command", "injected", "skipped", "transcript")
    return [(each["event"], next(str(each[name]) for name in names if name in each)) for each in spooled(data)]


@pytest.mark.parametrize("began", [None, -5, 50, 10**6])
def test_a_turn_of_codex_ends_with_a_look_at_what_it_changed(data: Path, began: int | None) -> None:
    stop = recorded("codex/Stop")
    if began is not None:
        told(recorded("codex/UserPromptSubmit"), client="codex")
        at = time.time() - began
        os.utime(Path(folder_of(str(data)), f"{stop['session_id']}.reason"), (at, at))
    told(stop, client="codex")
    words, look = spooled_at(data)
    assert (words["event"], "command" in words) == ("reply", False)
    assert (look["event"], look["command"]) == ("reply", "apply_patch")
    if began is None:
        assert "took" not in look
    else:
        assert max(0, min(1000 * began, 24 * 3600 * 1000)) <= look["took"] < 10**8


def spooled_at(data: Path) -> list[dict[str, Any]]:
    records = [json.loads(each.read_text()) for each in sorted((data / "spool").iterdir())]
    return [each for each in records if each.get("command") != ""]


def test_gemini_is_warned_after_the_edit_that_is_captured_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(event: Event, _directory: str) -> tuple[str, list[str]]:
        assert event.asks == "before edit"
        return "Removed before.", []

    warns = ModuleType(CONTEXT)
    warns.answer = warn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, CONTEXT, warns)
    said = json.loads(told(recorded("gemini/AfterTool-replace"), client="gemini"))
    assert said == {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "Removed before."}}
    (_, injected), edit = captures(data)
    assert int(injected) > 0
    assert edit == ("edit", "/home/dev/project/main.c")


def test_a_client_that_never_called_has_no_time(data: Path) -> None:
    assert last_called(str(data), "codex") is None


@pytest.mark.parametrize("client", CLIENTS)
@given(choose=st.data(), odd=JSON)
@settings(max_examples=20, suppress_health_check=[*HealthCheck], deadline=None)
def test_events_of_any_shape_do_no_harm(data: Path, client: str, choose: st.DataObject, odd: object) -> None:
    name = choose.draw(st.sampled_from(sorted(each.stem for each in (RECORDED / client).glob("*.json"))))
    payload = recorded(f"{client}/{name}")
    inner = [payload, *(each for each in payload.values() if isinstance(each, dict) and each)]
    changed = choose.draw(st.sampled_from(inner))
    changed[choose.draw(st.sampled_from(sorted(changed)))] = odd
    assert answer(json.dumps(payload).encode() + b"\n", client, name.partition("-")[0]) == b""
    assert all(each.read_bytes().endswith(b"}\n") for each in data.glob("spool/*"))
