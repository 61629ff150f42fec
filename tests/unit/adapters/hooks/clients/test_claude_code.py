import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.clients import EDIT, OTHER, Edit
from lamella_adapters.hooks.clients.claude_code import event
from tests.unit.adapters.hooks.clients.recorded import recorded
from tests.unit.support.tables import cases

LINES = st.lists(st.text("ab+-@ \\\r\t", max_size=3), max_size=6)
"""Few different lines, so that equal ones meet, and lines that look like those of a diff."""


def told(name: str) -> tuple[str, dict[str, object], dict[str, object]]:
    """The tool, its arguments and its response, as Claude Code told of them."""
    payload = recorded(f"PostToolUse-{name}")
    return payload["tool_name"], payload["tool_input"], payload["tool_response"]


def edit_of(tool: str, arguments: object, response: object) -> Edit:
    """The edit that a payload tells of."""
    payload = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": arguments}
    happened = event({**payload, "tool_response": response}, "")
    assert happened.kind == EDIT
    (edit,) = happened.edits
    return edit


def hunks_of(tool: str, response: dict[str, object]) -> str:
    return edit_of(tool, {"file_path": "a"}, response).hunks


def path_of(arguments: dict[str, object]) -> str:
    return edit_of("Edit", arguments, {}).path


def applied(hunks: str, old: list[str]) -> list[str]:
    """The lines that a patch makes of the old ones."""
    new: list[str] = []
    place = 0
    for hunk in f"\n{hunks}".split("\n@@ -")[1:]:
        header, _, body = hunk.partition(" @@\n")
        first, _, count = header.partition(" ")[0].partition(",")
        begin = int(first) - (1 if int(count) else 0)
        new += old[place:begin]
        place = begin
        for line in body.split("\n"):
            if line[0] in " -":
                assert old[place] == line[1:]
                place += 1
            if line[0] in " +":
                new.append(line[1:])
    return new + old[place:]


@pytest.mark.parametrize("name", ["edit", "edit-all", "write-update"])
def test_the_hunks_of_a_recorded_edit_make_the_new_file_of_the_old_one(name: str) -> None:
    tool, arguments, response = told(name)
    old = str(response["originalFile"])
    if tool == "Write":
        new = str(arguments["content"])
    else:
        count = -1 if arguments["replace_all"] else 1
        new = old.replace(str(arguments["old_string"]), str(arguments["new_string"]), count)
    hunks = hunks_of(tool, response)
    assert applied(hunks, old.splitlines()) == new.splitlines()
    assert path_of(arguments) == response["filePath"]


def test_a_file_that_was_created_is_all_additions() -> None:
    tool, arguments, response = told("write-create")
    content = str(arguments["content"]).splitlines()
    assert hunks_of(tool, response).split("\n") == [
        f"@@ -0,0 +1,{len(content)} @@",
        *(f"+{line}" for line in content),
    ]


@pytest.mark.parametrize("kind", ["replace", "insert", "delete"])
def test_of_a_notebook_the_lines_of_its_cell_came_and_went(kind: str) -> None:
    tool, arguments, response = told(f"notebook-{kind}")
    old = str(response.get("old_source", "")).splitlines()
    new = [] if kind == "delete" else str(arguments["new_source"]).splitlines()
    hunks = hunks_of(tool, response)
    assert hunks.startswith("@@ -")
    assert applied(hunks, old) == new
    assert path_of(arguments) == response["notebook_path"]


@cases
def test_what_changes_nothing_gives_nothing(tool: str, response: dict[str, object]) -> None:
    assert hunks_of(tool, response) == ""


def test_a_patch_that_is_odd_is_read_as_far_as_it_goes() -> None:
    patch = [7, {"lines": ["+a", 7, "", "-b"], "oldStart": "x", "newStart": 3}, {"lines": None, "oldStart": 9}]
    assert hunks_of("Edit", {"structuredPatch": patch}) == "@@ -0,0 +3,0 @@\n+a\n \n-b\n@@ -9,0 +0,0 @@"


@given(LINES, LINES)
def test_what_has_no_patch_gets_one_hunk(old: list[str], new: list[str]) -> None:
    response: dict[str, object] = {
        "originalFile": "".join(f"{each}\n" for each in old),
        "content": "".join(f"{each}\n" for each in new),
    }
    hunks = hunks_of("Write", response)
    assert applied(hunks, old) == new if hunks else old == new


@pytest.mark.parametrize("tool", ["Edit", "NotebookEdit"])
def test_an_edit_without_a_path_is_none(tool: str) -> None:
    assert event({"tool_name": tool, "tool_input": {"command": "x"}}, "PostToolUse").edits == []


def test_the_name_of_the_event_may_be_an_argument() -> None:
    assert event({"tool_name": "Read"}, "PostToolUse").kind == OTHER
