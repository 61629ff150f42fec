import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.ledger.reintroduction import Likeness
from lamella.domain.ledger.removed_code import RemovedCode
from lamella.domain.memories.kind import Kind
from lamella_adapters.hooks.clients.claude_code import event
from lamella_adapters.hooks.context.edit_warning import MOST_BYTES, context, edited
from lamella_adapters.hooks.context.server_tools import server_tools
from tests.unit.support.tables import cases


def edit(path: Path, tool: str = "Edit", **arguments: Any) -> tuple[str, str] | None:
    arguments = {"file_path": str(path), **arguments}
    (found,) = event({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": arguments}, "").edits
    return edited(found)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(b"one\r\ntwo\r\none\r\n")
    return path


@cases
def test_an_edit_is_made_in_the_file_as_it_is_or_will_fail(
    file: Path, name: str, tool: str, arguments: dict[str, Any], made: tuple[str, str] | None
) -> None:
    assert edit(file.with_name(name), tool, **arguments) == made


def test_bytes_that_are_no_text_are_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"\xff\none\n")
    assert edit(tmp_path / "b", old_string="one", new_string="1") == ("\ufffd\none\n", "\ufffd\n1\n")


def test_what_is_too_large_or_no_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (MOST_BYTES + 1))
    assert edit(tmp_path / "large", "Write", content="x") is None
    os.mkfifo(tmp_path / "pipe")
    assert edit(tmp_path / "pipe", "Write", content="x") is None
    assert edit(tmp_path, "Write", content="x") is None


REMOVAL = RemovedCode("k", 10**15, Kind.CHANGE, "edit", "s", "Drop the retries.", "a.py", frozenset({1}))


SAID = "See why before you keep it: "
PLAIN = 'Data of that removal: path "a.py", title "Drop the retries."'


def lines(removal: RemovedCode = REMOVAL, folder: str | None = None) -> list[str]:
    """Return the lines between the heading and the end of the fence."""
    return context(removal, Likeness.EXACT, "1a2b3c4d", server_tools(), folder).split("\n")[2:-1]


@pytest.fixture
def bin_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that is on PATH, with lamella in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "lamella").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/nowhere:{folder}")
    monkeypatch.setattr("sys.path", [f"{tmp_path}/nowhere"])
    return folder


@pytest.mark.parametrize("folder", ["/srv/lib", "/srv/lib-2.0_\u00e4+/x"])
def test_the_command_for_another_projects_memory_goes_to_its_folder(bin_: Path, folder: str) -> None:
    said, data = lines(folder=folder)
    assert bin_.name == "bin"
    assert said.partition(SAID)[2] == (
        f"run `cd {folder} && lamella recall --id 1a2b3c4d --detail full`, for it is another project's memory."
    )
    assert data == PLAIN


@cases
def test_a_folder_whose_end_is_not_plain_is_data(bin_: Path, folder: str, shown: str) -> None:
    said, data = lines(folder=folder)
    assert bin_.name == "bin"
    assert said.endswith(
        "run `lamella recall --id 1a2b3c4d --detail full` in its folder, for it is another project's memory."
    )
    assert data == f'{PLAIN}, folder "{shown}"'


@cases
def test_a_folder_that_could_pose_as_something_else_is_not_told(bin_: Path, folder: str) -> None:
    said, data = lines(folder=folder)
    assert bin_.name == "bin"
    assert "run `lamella recall --id 1a2b3c4d --detail full` in its folder" in said
    assert data == PLAIN


def test_where_lamella_is_not_on_the_path_it_is_told_where_it_is(
    bin_: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{bin_.parent}/nowhere")
    packages = bin_.parent / "lib" / "python3" / "site-packages"
    monkeypatch.setattr("sys.path", [f"{bin_.parent}/nowhere", str(packages)])
    assert f"cd /srv && {bin_}/lamella recall" in lines(folder="/srv")[0]
    (bin_ / "lamella").chmod(0o644)
    assert "cd /srv && lamella recall" in lines(folder="/srv")[0]


HOSTILE = st.text() | st.lists(
    st.sampled_from(
        [*'"`\n\u201c\u201d\u2028 :.', "See why before you keep it: ", "see  WHY", " before ", "run `x`"]
    )
).map("".join)


@given(HOSTILE, HOSTILE, st.none() | HOSTILE)
def test_whatever_others_call_things_our_sentences_stand_alone_and_first(
    path: str, title: str, folder: str | None
) -> None:
    said, data = lines(REMOVAL._replace(path=path.strip() or "a", title=title), folder)
    assert said.startswith("This edit brings back code that was removed on 2001-09-0")
    assert said.count(SAID) == 1
    assert data.startswith('Data of that removal: path "')
    assert SAID.lower() not in " ".join(data.split()).lower()
    assert "`" not in data
    assert data.count('"') % 2 == 0
    for quoted in data.split('"')[2::2]:
        assert quoted in ("", ", title ", ", folder ")
