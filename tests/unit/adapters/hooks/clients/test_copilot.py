import json
from pathlib import Path

import pytest

from lamella_adapters.hooks.clients import COMPACTED
from lamella_adapters.hooks.clients.copilot import event
from tests.unit.adapters.hooks.clients.recorded import changes, recorded

PROJECT = "/home/dev/project"
SESSION = "00000001-0000-4000-8000-000000000000"
PATCHED = {f"{PROJECT}/main.c": ["-    return 0;", "+    return 1;"], f"{PROJECT}/NOTES.md": ["+One."]}


def test_the_conversation_is_where_copilot_has_its_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COPILOT_HOME", "/else/where")
    assert event({"sessionId": "1"}, "sessionEnd").transcript == "/else/where/session-state/1/events.jsonl"
    assert event({}, "sessionEnd").transcript == ""


def test_a_compaction_is_one() -> None:
    assert event({"sessionId": SESSION}, "preCompact").kind == COMPACTED


def test_an_edit_has_whole_lines_if_the_file_can_be_read(tmp_path: Path) -> None:
    payload = recorded("copilot/postToolUse-edit")
    assert changes(event(payload, "postToolUse").edits) == {f"{PROJECT}/main.c": ["-return 0", "+return 1"]}
    file = tmp_path / "main.c"
    file.write_text("int main(void) {\n    return 1;\n}\n")
    payload["toolArgs"]["path"], payload["cwd"] = "main.c", str(tmp_path)
    assert changes(event(payload, "postToolUse").edits) == {str(file): ["-    return 0;", "+    return 1;"]}


def test_the_working_tree_is_looked_at_if_a_patch_deletes() -> None:
    payload = recorded("copilot/postToolUse-patch")
    payload["toolArgs"] = payload["toolArgs"].replace("*** End", "*** Delete File: old.txt\n*** End")
    happened = event(payload, "postToolUse")
    assert (changes(happened.edits), happened.command) == (PATCHED, "apply_patch")


def test_the_command_of_a_failed_tool_is_captured() -> None:
    payload = recorded("copilot/postToolUse-shell-failed")
    payload["toolArgs"] = json.dumps(payload["toolArgs"])
    assert event(payload, "postToolUseFailure").command == "echo four >> old.txt; false"


@pytest.mark.parametrize("arguments", [None, 7, "{", {"old_str": "a"}])
def test_arguments_of_another_shape_make_no_edit(arguments: object) -> None:
    payload = {"toolName": "edit", "toolArgs": arguments}
    assert event(payload, "preToolUse").edits == event(payload, "postToolUse").edits == []
