"""The promises of the port `Peer`, which every program's reader keeps."""

import shutil
from collections import Counter
from datetime import UTC
from pathlib import Path

import pytest

from lamella.domain.errors import PeerUnreadableError
from lamella.ports.peers import ForeignMemory, Skipped
from tests.unit.adapters.peers.programs import EXPORTS, PROGRAMS, Program, memories, read

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
each_store = pytest.mark.parametrize(
    "program", PROGRAMS + EXPORTS, ids=lambda each: f"{each.name} {each.make.__name__}"
)


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, with its bytes and the time of its last change."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return {str(each): (each.read_bytes(), each.stat().st_mtime_ns) for each in files}


@each_store
def test_a_store_reads_the_same_twice_and_stays_as_it_is(program: Program, home: Path) -> None:
    path = program.make(home)
    before = everything(home)
    first = read(program.opened(path))
    assert read(program.opened(path)) == first
    assert everything(home) == before
    assert any(isinstance(each, ForeignMemory) for each in first)


@each_store
def test_keys_are_unique_and_times_are_in_utc(program: Program, home: Path) -> None:
    found = memories(program.opened(program.make(home)))
    assert Counter(each.key for each in found).most_common(1)[0][1] == 1
    assert {each.created_at.tzinfo for each in found if each.created_at} == {UTC}
    assert all(each.content == each.content.strip() for each in found)


@each_program
def test_memories_are_found_where_the_program_keeps_them(
    program: Program, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program.make(home)
    found = read(program.opened(None))
    given = read(program.opened(path))
    if program.name == "basic-memory":
        # Its configuration has another name for the folder.
        assert len(found) == len(given)
    else:
        assert found == given
    variable, below = program.home
    if below:
        shutil.copytree(home / below, tmp_path / "moved")
        monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
        monkeypatch.setenv(variable, str(tmp_path / "moved"))
        moved = read(program.opened(None))
        assert Counter(type(each) for each in moved) == Counter(type(each) for each in found)


@each_program
def test_where_nothing_is_found_the_error_names_what_was_looked_for(program: Program, home: Path) -> None:
    with pytest.raises(PeerUnreadableError) as refused:
        program.opened(None).stores()
    sentence = str(refused.value)
    assert sentence.startswith(f"No memories of {program.name} found. Looked for: ")
    assert sentence.endswith(f"Give the path of yours: lamella import {program.name} PATH")
    assert str(home) not in sentence
    empty = home / "empty"
    empty.mkdir()
    if program.name != "basic-memory":
        with pytest.raises(PeerUnreadableError, match="~/empty"):
            program.opened(empty).stores()


@each_store
@pytest.mark.parametrize("damage", ["cut", "empty", "noise", "deep"])
def test_a_broken_file_is_refused_or_skipped(program: Program, home: Path, damage: str) -> None:
    path = program.make(home)
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    for file in files:
        content = file.read_bytes()
        made = {
            "cut": content[: len(content) // 2],
            "empty": b"",
            "noise": bytes(range(256)) * 50,
            "deep": b'{"observations":' + b"[" * 100_000,
        }
        file.write_bytes(made[damage])
    try:
        whole = read(program.opened(path))
    except PeerUnreadableError as error:
        whole = [Skipped(str(error))]
        if "cannot be read" not in str(error):
            raise
    assert whole or damage == "empty"
