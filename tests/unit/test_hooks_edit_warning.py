import os
from pathlib import Path
from typing import Any

import pytest

from lamella_adapters.claude_code.hooks.edit_warning import MOST_BYTES, edited


def edit(path: Path, tool: str = "Edit", **arguments: Any) -> tuple[str, str] | None:
    return edited(tool, {"file_path": str(path), **arguments})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(b"one\r\ntwo\r\none\r\n")
    return path


def test_an_edit_is_made_in_the_file_as_it_is(file: Path) -> None:
    assert edit(file, old_string="one", new_string="1") == ("one\ntwo\none\n", "1\ntwo\none\n")
    assert edit(file, old_string="one", new_string="1", replace_all=True) == ("one\ntwo\none\n", "1\ntwo\n1\n")
    assert edit(file, old_string="one\r\ntwo", new_string="3") == ("one\ntwo\none\n", "3\none\n")


def test_an_edit_that_will_fail_is_none(file: Path) -> None:
    assert edit(file, old_string="three", new_string="3") is None
    assert edit(file, old_string="", new_string="3") is None
    assert edit(file, "MultiEdit", edits=["no edit"]) is None
    assert (
        edit(file, "MultiEdit", edits=[{"old_string": "three"}, {"old_string": "one", "new_string": "1"}]) is None
    )


def test_several_edits_are_made_in_turn(file: Path) -> None:
    edits = [{"old_string": "one", "new_string": "two"}, {"old_string": "two\ntwo", "new_string": "2"}]
    assert edit(file, "MultiEdit", edits=edits) == ("one\ntwo\none\n", "2\none\n")
    assert edit(file, "MultiEdit", edits="none") == ("one\ntwo\none\n", "one\ntwo\none\n")


def test_a_file_is_made_or_written_anew(file: Path, tmp_path: Path) -> None:
    assert edit(file, "Write", content="new\r\n") == ("one\ntwo\none\n", "new\n")
    assert edit(tmp_path / "new.py", "Write", content="new\n") == ("", "new\n")
    assert edit(tmp_path / "new.py", old_string="", new_string="new\n") == ("", "new\n")


def test_bytes_that_are_no_text_are_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"\xff\none\n")
    assert edit(tmp_path / "b", old_string="one", new_string="1") == ("\ufffd\none\n", "\ufffd\n1\n")


def test_what_is_too_large_or_no_file_is_none(file: Path, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (MOST_BYTES + 1))
    assert edit(tmp_path / "large", "Write", content="x") is None
    assert edit(file, "Write", content="x" * (MOST_BYTES + 1)) is None
    os.mkfifo(tmp_path / "pipe")
    assert edit(tmp_path / "pipe", "Write", content="x") is None
    assert edit(tmp_path, "Write", content="x") is None
