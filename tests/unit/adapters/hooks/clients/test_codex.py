from pathlib import Path

import pytest

from lamella_adapters.hooks.clients import BEFORE_EDIT, COMMAND, EDIT, END, OTHER, PROMPT, REPLY, START
from lamella_adapters.hooks.clients.codex import event, output
from lamella_adapters.hooks.context.edit_warning import edited
from tests.unit.adapters.hooks.clients.recorded import changes, named, recorded

PROJECT = "/home/dev/project"
MAIN = '#include <stdio.h>\n\nint main(void) {\n    puts("ready");\n    return 0;\n}\n'

KINDS = {
    "SessionStart-startup": (START, START),
    "SessionStart-resume": (START, START),
    "SessionStart-compact": (START, START),
    "PreCompact": (OTHER, OTHER),
    "UserPromptSubmit": (PROMPT, PROMPT),
    "PreToolUse-own-tool": (BEFORE_EDIT, OTHER),
    "PreToolUse-patch": (BEFORE_EDIT, BEFORE_EDIT),
    "PreToolUse-patch-more": (BEFORE_EDIT, BEFORE_EDIT),
    "PreToolUse-patch-failed": (BEFORE_EDIT, BEFORE_EDIT),
    "PreToolUse-shell": (BEFORE_EDIT, OTHER),
    "PreToolUse-shell-failed": (BEFORE_EDIT, OTHER),
    "PreToolUse-shell-patch": (BEFORE_EDIT, BEFORE_EDIT),
    "PostToolUse-own-tool": (OTHER, OTHER),
    "PostToolUse-patch": (EDIT, EDIT),
    "PostToolUse-patch-more": (EDIT, EDIT),
    "PostToolUse-shell": (COMMAND, COMMAND),
    "PostToolUse-shell-failed": (COMMAND, COMMAND),
    "Stop": (REPLY, REPLY),
    "SessionEnd-other": (END, END),
}


def test_every_recorded_event_is_known() -> None:
    assert named("codex") == sorted(f"codex/{name}" for name in KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_each_event_has_its_kind(name: str) -> None:
    payload = recorded(f"codex/{name}")
    happened = event(payload, "")
    assert (happened.kind, happened.asks) == KINDS[name]
    assert (happened.session, happened.directory) == (payload["session_id"], payload["cwd"])
    assert (happened.transcript, happened.name) == (payload["transcript_path"], payload["hook_event_name"])
    assert output(happened, "hello")["hookSpecificOutput"] == {
        "hookEventName": happened.name,
        "additionalContext": "hello",
    }


def test_the_prompt_is_the_users() -> None:
    assert event(recorded("codex/UserPromptSubmit"), "").prompt == "Mend the exit code. Its caller reads it."


def test_a_patch_is_an_edit_of_each_file() -> None:
    happened = event(recorded("codex/PostToolUse-patch"), "")
    assert changes(happened.edits) == {
        f"{PROJECT}/main.c": ["-    return 0;", "+    return 1;"],
        f"{PROJECT}/NOTES.md": ["+One.", "+Two: \u00dcberpr\u00fcfung \u2713."],
    }
    assert happened.command == ""


def test_what_a_patch_deletes_or_moves_is_looked_for() -> None:
    happened = event(recorded("codex/PostToolUse-patch-more"), "")
    (edit,) = happened.edits
    assert edit.path == f"{PROJECT}/shop/pay.py"
    assert edit.hunks.count("@@ @@") == 2
    assert "-    return False" in edit.hunks.split("\n")
    assert happened.command == "apply_patch"


@pytest.mark.parametrize("response", ["Exit code: 1\nWall time: 0 seconds\n", 7, None])
def test_a_patch_that_failed_is_no_edit(response: object) -> None:
    assert event({**recorded("codex/PostToolUse-patch"), "tool_response": response}, "").edits == []


def test_commands_of_the_shell_are_captured_and_failed_ones_too() -> None:
    assert event(recorded("codex/PostToolUse-shell"), "").command == "sed -i s/1/2/ main.c\ncat main.c"
    assert event(recorded("codex/PostToolUse-shell-failed"), "").command == "echo three >> NOTES.md; false"


def test_the_end_of_a_turn_looks_for_patches_of_the_shell() -> None:
    assert event(recorded("codex/Stop"), "").command == "apply_patch"


def test_before_a_patch_the_texts_of_its_files_are_known(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(MAIN)
    main, notes = event({**recorded("codex/PreToolUse-patch"), "cwd": str(tmp_path)}, "").edits
    assert edited(main) == (MAIN, MAIN.replace("return 0", "return 1"))
    assert edited(notes) == ("", "One.\nTwo: \u00dcberpr\u00fcfung \u2713.\n")


def test_before_a_patch_in_the_shell_as_well(tmp_path: Path) -> None:
    (edit,) = event({**recorded("codex/PreToolUse-shell-patch"), "cwd": str(tmp_path)}, "").edits
    assert (edit.path, edited(edit)) == (f"{tmp_path}/c.txt", ("", "see\n"))


def test_before_a_patch_that_will_fail_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(MAIN)
    (edit,) = event({**recorded("codex/PreToolUse-patch-failed"), "cwd": str(tmp_path)}, "").edits
    assert edited(edit) is None
