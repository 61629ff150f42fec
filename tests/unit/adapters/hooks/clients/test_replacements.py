import os
from pathlib import Path

import pytest

from lamella_adapters.hooks.clients import BEFORE_EDIT, Edit
from lamella_adapters.hooks.clients.devin import event
from lamella_adapters.hooks.clients.replacements import made
from lamella_adapters.hooks.context.edit_warning import edited
from tests.unit.adapters.hooks.clients.recorded import recorded

OLD = "one\ntwo\nthree\nfour\n"


def replaced(path: Path, *replacements: tuple[str, str]) -> Edit:
    edit = Edit(str(path))
    edit.replacements = [(old, new, False) for old, new in replacements]
    return edit


def test_lines_are_whole_and_numbered_as_the_file_has_them(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("one\n2 and\nthree\nfour\nfive\n")
    edit = replaced(file, ("two", "2 and"), ("four\n", "four\nfive\n"))
    assert made(edit) == "@@ -2,1 +2,1 @@\n-two\n+2 and\n@@ -4,0 +5,1 @@\n+five"


def test_an_edit_is_warned_of_after_it_as_its_texts_are_known(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text("int main(void) {\n    return 1;\n}\n")
    payload = recorded("devin/PostToolUse-edit")
    payload["tool_input"]["file_path"] = str(file)
    happened = event(payload, "")
    assert happened.asks == BEFORE_EDIT
    assert [edited(each) for each in happened.edits] == [(file.read_text().replace("1", "0"), file.read_text())]
    file.write_text("return 1; return 1;")
    assert [edited(each) for each in event(payload, "").edits] == [None]


def test_what_was_only_taken_out_has_no_numbers(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("one\nfour\n")
    assert made(replaced(file, ("two\nthree\n", ""))) == "@@ @@\n-two\n-three"


def test_without_its_file_an_edit_has_the_lines_of_the_replacement(tmp_path: Path) -> None:
    assert made(replaced(tmp_path / "gone", ("two", "2"), ("same", "same"))) == "@@ @@\n-two\n+2"


@pytest.mark.parametrize("text", ["2\n2\n", "3\n"])
def test_a_place_that_is_not_found_or_not_the_only_one_has_no_numbers(tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    assert made(replaced(file, ("two", "2"))) == "@@ @@\n-two\n+2"


def test_pipes_and_large_files_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    large = tmp_path / "large"
    large.write_text("2\n" + "x\n" * 300_000)
    for file in (tmp_path / "pipe", large):
        assert made(replaced(file, ("two", "2"))) == "@@ @@\n-two\n+2"


def test_of_a_great_many_replacements_no_places_are_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "file"
    numbers = range(101)
    file.write_text("".join(f"new {number}.\n" for number in numbers))
    many = [(f"old {number}.", f"new {number}.") for number in numbers]
    assert made(replaced(file, *many[1:])).startswith("@@ -2,1 +2,1 @@\n-old 1.\n+new 1.\n@@ -3,1")
    assert made(replaced(file, *many)).startswith("@@ @@\n-old 0.\n+new 0.\n@@ @@")
