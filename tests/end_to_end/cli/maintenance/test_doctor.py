"""`lamella doctor`: what it finds, what it mends when asked to, and that it never deletes."""

import re
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.end_to_end.support.command_line import CommandLine

PAGE = 4096
Fault = Callable[[CommandLine], None]
GARBAGE = b"These are not the bytes of a database.\n" * 50


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line in a project with two memories."""
    lamella.saved("Apples keep until March.")
    lamella.saved("Pears keep until January.")
    return lamella


def execute(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement).fetchall()
    connection.close()


def project_is_garbage(lamella: CommandLine) -> None:
    lamella.project_file.write_bytes(GARBAGE)


def project_is_missing(lamella: CommandLine) -> None:
    lamella.project_file.rename(lamella.data.parent / "moved.db")


def registry_is_garbage(lamella: CommandLine) -> None:
    (lamella.data / "registry.db").write_bytes(GARBAGE)


def registry_is_missing(lamella: CommandLine) -> None:
    (lamella.data / "registry.db").unlink()


def everything_is_garbage(lamella: CommandLine) -> None:
    project_is_garbage(lamella)
    registry_is_garbage(lamella)


def garbage_without_a_registry(lamella: CommandLine) -> None:
    project_is_garbage(lamella)
    registry_is_missing(lamella)


def others_can_read(lamella: CommandLine) -> None:
    lamella.project_file.chmod(0o644)
    lamella.project_file.parent.chmod(0o755)


def executed(statement: str) -> Fault:
    """Return the fault that a statement behind lamella's back makes."""

    def fault(lamella: CommandLine) -> None:
        execute(lamella.project_file, statement)

    return fault


LOST: list[Fault] = [
    project_is_garbage,
    everything_is_garbage,
    garbage_without_a_registry,
    project_is_missing,
]
"""After these an empty memory is all there can be."""

MENDED: list[Fault] = [
    registry_is_garbage,
    registry_is_missing,
    others_can_read,
    executed("DELETE FROM search_data WHERE id > 10"),
    executed("DELETE FROM search_data WHERE id = 10"),
    executed("UPDATE statistics SET live = 77"),
]
"""After these everything is as it was."""


@pytest.mark.parametrize("fault", LOST + MENDED)
def test_a_fault_is_found_and_mended_on_request_and_nothing_deleted(lamella: CommandLine, fault: Fault) -> None:
    fault(lamella)
    before = lamella.files

    found = lamella.run("doctor")

    assert found.code == 1
    assert "\nfault   " in found.out
    assert found.out.endswith("fault. To mend what can be mended: lamella doctor --repair\n")
    assert lamella.files == before

    done = lamella.run("doctor", "--repair", "--yes")

    assert (done.code, done.err) == (0, ""), done
    assert "\nRepaired: " in done.out
    assert done.out.endswith("\nNo faults.\n")
    after = lamella.files
    for path, content in before.items():
        aside = [kept for name, kept in after.items() if name.name.startswith(f"{path.name}.damaged-")]
        assert aside == [content] if content == GARBAGE else path in after
    assert {path.stat().st_mode & 0o777 for path in lamella.data.rglob("*")} == {0o700, 0o600}
    assert lamella.run("doctor").code == 0
    assert len(lamella.listed()) == (0 if fault in LOST else 2)
    assert len(lamella.listed("keep until")) == (0 if fault in LOST else 2)
    saved = lamella.saved("Quinces keep until December.")
    assert lamella.listed("quinces") == [saved[:8]]


def test_of_a_file_that_is_broken_in_the_middle_what_can_be_read_comes_back(lamella: CommandLine) -> None:
    texts = [f"Jar {number} of plums. " + f"plum{number} " * 1200 for number in range(12)]
    ids = {lamella.saved(text)[:8] for text in texts} | set(lamella.listed("--limit", "10", "keep until"))
    content = bytearray(lamella.project_file.read_bytes())
    places = range(20 * PAGE, len(content) - PAGE, len(content) // 6 // PAGE * PAGE)
    for at in places:
        content[at : at + PAGE] = b"\x5a" * PAGE
    lamella.project_file.write_bytes(content)
    found = lamella.run("doctor")

    done = lamella.run("doctor", "--repair", "--yes")

    assert (found.code, lamella.run("doctor").code) == (1, 0)
    assert "can be repaired: make it anew of what can be read, and keep the broken file\n" in found.out
    (told,) = re.findall(
        r"^Repaired: (\d+) memories, .*; at least (\d+) memories.* are lost.*$", done.out, re.MULTILINE
    )
    read, lost = map(int, told)
    assert (done.code, read + lost, lost > 0) == (0, 14, True)
    assert set(lamella.listed("--limit", "50")) < ids
    (aside,) = lamella.project_file.parent.glob(f"{lamella.project_file.name}.damaged-*")
    assert f"The broken file is kept as {aside.name}.\n" in done.out
    assert aside.read_bytes() == content
