"""The kind of each event that a client gave to hooks, and what the event asks for."""

import itertools
import json
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from lamella_adapters.hooks.clients import LIKE, PROMPT, claude_code, gemini
from lamella_adapters.hooks.context.edit_warning import edited
from lamella_adapters.hooks.payload import as_json
from tests.unit.adapters.hooks.clients.recorded import RECORDED, changes, named, recorded
from tests.unit.support.tables import cases

CLIENTS: dict[str, ModuleType] = {
    each.name: import_module(f"lamella_adapters.hooks.clients.{LIKE.get(each.name, each.name)}")
    for each in RECORDED.iterdir()
    if each.is_dir()
}
PROJECT = "/home/dev/project"
SESSION = "00000001-0000-4000-8000-000000000000"
TRANSCRIPTS = dict.fromkeys(("amp", "antigravity", "pi", "qwen"), "") | {
    "copilot": f"/home/dev/.copilot/session-state/{SESSION}/events.jsonl",
    "opencode": "/home/dev/.local/share/opencode/opencode.db/ses_1",
}
"""Places of transcripts that an event doesn't name, or names before they are complete."""
CONTEXT_IN = dict.fromkeys(("amp", "cline", "opencode", "pi"), "context") | {
    "copilot": "additionalContext",
    "cursor": "additional_context",
}
"""Fields in which clients expect context at the top; others expect it with the name of the event."""
OLD, NEW = (f"int main(void) {{\n    return {code};\n}}\n" for code in "01")
MAIN = OLD.replace("{\n", '{\n    puts("ready");\n')
NOTES = "One.\nTwo: Überprüfung ✓.\n"


def test_every_recorded_event_is_known() -> None:
    rows = Path(__file__).with_suffix(".txt").read_text("utf-8").partition("\n\n")[0].splitlines()
    assert sorted(row.partition("\t")[0] for row in rows[3:]) == sorted(itertools.chain(*map(named, CLIENTS)))


@cases
def test_each_event_has_its_kind_and_edits(
    name: str, kind: str, asks: str, command: str, edits: dict[str, list[str]], *, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/dev")
    monkeypatch.setenv("DEVIN_PROJECT_DIR", PROJECT)
    payload = recorded(name)
    client, _, event = name.partition("/")
    called = payload.get("hook_event_name", event.partition("-")[0])
    happened = CLIENTS[client].event(payload, "" if "hook_event_name" in payload else called)
    assert (happened.kind, happened.asks) == (kind, asks)
    assert happened.prompt == ("Mend the exit code. Its caller reads it." if happened.kind == PROMPT else "")
    assert happened.command == command
    assert {path.removeprefix(f"{PROJECT}/"): lines for path, lines in changes(happened.edits).items()} == edits
    called = payload.get("hookEventName", called)
    assert (happened.name, happened.process) == (called, payload.get("process", 0))
    assert happened.session == payload.get("session_id", SESSION)
    # goose runs a hook in the session's directory, and names it with tools only.
    unsaid = payload.get("working_dir", "") if client == "goose" else PROJECT
    assert happened.directory == payload.get("cwd", unsaid)
    assert happened.transcript == TRANSCRIPTS.get(client, payload.get("transcript_path") or "")
    said = CLIENTS[client].output(happened, "hello")
    if client == "antigravity":
        assert as_json(said) == '{"injectSteps": [{"ephemeralMessage": "hello"}]}'
        return
    if client in CONTEXT_IN:
        assert said.pop(CONTEXT_IN[client]) == "hello"
    if client not in CONTEXT_IN or said:
        assert said["hookSpecificOutput"] == {"hookEventName": called, "additionalContext": "hello"}


@cases
def test_the_texts_of_edited_files_are_known_for_a_warning(
    tmp_path: Path, name: str, main: str, texts: list[tuple[str, str] | None]
) -> None:
    if main:
        (tmp_path / "main.c").write_text(main)
    client, _, event = name.partition("/")
    payload = json.loads(json.dumps(recorded(name)).replace(PROJECT, str(tmp_path)))
    happened = CLIENTS[client].event(payload, event.partition("-")[0])
    assert [edited(each) for each in happened.edits] == texts


@pytest.mark.parametrize("client", [claude_code, gemini])
def test_a_client_that_shows_a_line_is_given_one_beside_the_context(client: ModuleType) -> None:
    event = client.event({"hook_event_name": "SessionStart", "session_id": SESSION}, "")
    context = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "told"}}
    assert client.output(event, "told") == context
    event.notice = "lamella: 1 of 2 memories given"
    assert client.output(event, "told") == {"systemMessage": event.notice, **context}


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_claude_code_says_how_a_session_starts(source: str) -> None:
    event = claude_code.event({"hook_event_name": "SessionStart", "source": source}, "")
    assert (event.resumed, event.context_lost) == (source == "resume", source == "compact")
