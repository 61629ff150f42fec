import pytest  # noqa: F401 - for the table

from lamella_adapters.hooks.clients.gemini import event
from tests.unit.adapters.hooks.clients.recorded import recorded
from tests.unit.support.tables import cases

PROJECT = "/home/dev/project"


def test_the_prompt_is_the_users_without_our_context() -> None:
    payload = recorded("gemini/BeforeAgent")
    payload["prompt"] = "<hook_context>What is shown.</hook_context>\n\n" + payload["prompt"]
    assert event(payload, "").prompt == "Mend the exit code. Its caller reads it."


def test_a_prompt_about_such_context_is_left_alone() -> None:
    assert event({"prompt": "<hook_context> is what?"}, "BeforeAgent").prompt == "<hook_context> is what?"


def test_a_relative_path_is_made_absolute() -> None:
    (edit,) = event(recorded("gemini/AfterTool-replace-relative"), "").edits
    assert edit.path == f"{PROJECT}/pay.py"
    assert edit.hunks.startswith("@@ -1,8 +1,5 @@\n def pay(order):\n-    for")


@cases
def test_an_edit_without_a_diff_has_one_hunk_and_a_missing_line_end_is_no_line(
    diff: str | None, hunks: str
) -> None:
    payload = recorded("gemini/AfterTool-write-update")
    payload["tool_response"]["returnDisplay"]["fileDiff"] = diff
    (edit,) = event(payload, "").edits
    assert edit.hunks == hunks
