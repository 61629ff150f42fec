from pathlib import Path

import pytest

from lamella_adapters.hooks.clients.codex import event
from lamella_adapters.hooks.context.edit_warning import edited
from tests.unit.adapters.hooks.clients.recorded import recorded

MAIN = '#include <stdio.h>\n\nint main(void) {\n    puts("ready");\n    return 0;\n}\n'


@pytest.mark.parametrize("response", ["Exit code: 1\nWall time: 0 seconds\n", 7, None])
def test_a_patch_that_failed_is_no_edit(response: object) -> None:
    assert event({**recorded("codex/PostToolUse-patch"), "tool_response": response}, "").edits == []


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
