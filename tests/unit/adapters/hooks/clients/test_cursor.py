"""Cursor's events are made by its documentation: it can't run without an account."""

import pytest

from lamella_adapters.hooks.clients import COMMAND, COMPACTED, EDIT, END, OTHER, PROMPT, REPLY, START
from lamella_adapters.hooks.clients.cursor import event, output
from tests.unit.adapters.hooks.clients.recorded import changes, named, recorded

PROJECT = "/home/dev/project"

KINDS = {
    "sessionStart": (START, START),
    "beforeSubmitPrompt": (PROMPT, OTHER),
    "afterFileEdit": (EDIT, OTHER),
    "afterShellExecution": (COMMAND, OTHER),
    "preCompact": (COMPACTED, OTHER),
    "stop": (REPLY, OTHER),
    "sessionEnd": (END, OTHER),
}


def test_every_event_is_known() -> None:
    assert named("cursor") == sorted(f"cursor/{name}" for name in KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_each_event_has_its_kind_and_none_but_the_first_takes_context(name: str) -> None:
    happened = event(recorded(f"cursor/{name}"), "")
    assert (happened.kind, happened.asks) == KINDS[name]
    assert (happened.session, happened.directory) == ("00000001-0000-4000-8000-000000000000", PROJECT)
    assert output(happened, "hello") == {"additional_context": "hello"}


def test_prompts_commands_and_edits_are_captured() -> None:
    assert event(recorded("cursor/beforeSubmitPrompt"), "").prompt == "Mend the exit code. Its caller reads it."
    assert event(recorded("cursor/afterShellExecution"), "").command == "echo three >> old.txt"
    assert changes(event(recorded("cursor/afterFileEdit"), "").edits) == {
        f"{PROJECT}/main.c": ["-    return 0;", "+    return 1;"]
    }


@pytest.mark.parametrize("roots", [None, [], [7], "/"])
def test_without_a_workspace_the_working_directory_counts(roots: object) -> None:
    payload = {**recorded("cursor/stop"), "workspace_roots": roots, "cwd": "/elsewhere"}
    assert event(payload, "").directory == "/elsewhere"


def test_an_edit_without_a_file_is_none() -> None:
    assert event({"hook_event_name": "afterFileEdit", "edits": []}, "").edits == []
