import pytest

from lamella_adapters.hooks.clients import BEFORE_EDIT, COMMAND, COMPACTED, EDIT, END, OTHER, PROMPT, REPLY, START
from lamella_adapters.hooks.clients.qwen import event, output
from lamella_adapters.hooks.context.edit_warning import edited
from tests.unit.adapters.hooks.clients.recorded import changes, named, recorded

PROJECT = "/home/dev/project"

KINDS = {
    "SessionStart": (START, START),
    "UserPromptSubmit": (PROMPT, PROMPT),
    "UserPromptSubmit-empty": (OTHER, OTHER),
    "PostToolUse-edit": (EDIT, BEFORE_EDIT),
    "PostToolUse-write": (EDIT, BEFORE_EDIT),
    "PostToolUse-shell": (COMMAND, COMMAND),
    "PostToolUseFailure-shell-failed": (COMMAND, COMMAND),
    "Stop": (REPLY, REPLY),
}


def test_every_recorded_event_is_known() -> None:
    assert named("qwen") == sorted(f"qwen/{name}" for name in KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_each_event_has_its_kind(name: str) -> None:
    payload = recorded(f"qwen/{name}")
    happened = event(payload, "")
    assert (happened.kind, happened.asks) == KINDS[name]
    assert (happened.session, happened.directory) == (payload["session_id"], payload["cwd"])
    assert (happened.transcript, happened.name) == ("", payload["hook_event_name"])
    assert output(happened, "hello")["hookSpecificOutput"] == {
        "hookEventName": happened.name,
        "additionalContext": "hello",
    }


@pytest.mark.parametrize(("name", "kind"), [("PreCompact", COMPACTED), ("SessionEnd", END)])
def test_the_events_of_its_documentation_are_known_too(name: str, kind: str) -> None:
    assert event({"hook_event_name": name}, "").kind == kind


@pytest.mark.parametrize(("source", "lost"), [("startup", False), ("compact", True)])
def test_a_compaction_loses_the_context(source: str, lost: bool) -> None:
    assert event({**recorded("qwen/SessionStart"), "source": source}, "").context_lost is lost


def test_prompts_commands_and_edits_are_captured() -> None:
    assert event(recorded("qwen/UserPromptSubmit"), "").prompt == "Mend the exit code. Its caller reads it."
    command = event(recorded("qwen/PostToolUse-shell"), "")
    assert (command.command, command.took) == ("echo three >> old.txt", 3)
    failed = event(recorded("qwen/PostToolUseFailure-shell-failed"), "")
    assert failed.command == "echo four >> old.txt; false"
    assert changes(event(recorded("qwen/PostToolUse-edit"), "").edits) == {
        f"{PROJECT}/main.c": ["-    return 0;", "+    return 1;"]
    }


def test_the_texts_of_an_edit_are_known_after_it() -> None:
    (edit,) = event(recorded("qwen/PostToolUse-edit"), "").edits
    assert edited(edit) == ("int main(void) {\n    return 0;\n}\n", "int main(void) {\n    return 1;\n}\n")
    (notes,) = event(recorded("qwen/PostToolUse-write"), "").edits
    assert edited(notes) == ("", "One.\nTwo: Überprüfung ✓.\n")


def test_a_failed_edit_is_none() -> None:
    payload = {**recorded("qwen/PostToolUse-edit"), "tool_response": "No match."}
    assert event(payload, "").edits == []
