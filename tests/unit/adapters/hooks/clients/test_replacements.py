import os
from pathlib import Path

import pytest  # noqa: F401 - for the table

from lamella_adapters.hooks.clients import Edit
from lamella_adapters.hooks.clients.replacements import made
from tests.unit.support.tables import cases

OLD = "one\ntwo\nthree\nfour\n"


def replaced(path: Path, *replacements: tuple[str, str]) -> Edit:
    edit = Edit(str(path))
    edit.replacements = [(old, new, False) for old, new in replacements]
    return edit


@cases
def test_lines_are_whole_and_numbered_as_the_file_has_them(
    tmp_path: Path, text: str, replacements: list[tuple[str, str]], hunks: str
) -> None:
    file = tmp_path / "file"
    if text:
        file.write_text(text)
    assert made(replaced(file, *replacements)) == hunks


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
