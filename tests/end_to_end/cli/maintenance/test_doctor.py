"""`lamella doctor`: what it finds, what it mends when asked to, and that it never deletes."""

import re
from collections.abc import Callable
from contextlib import closing

import apsw
import pytest

from tests.end_to_end.support.command_line import CommandLine

GARBAGE = b"These are not the bytes of a database.\n" * 50


@pytest.fixture
def lamella(lamella: CommandLine) -> CommandLine:
    """Return the command line in a project with two memories."""
    lamella.saved("Apples keep until March.")
    lamella.saved("Pears keep until January.")
    return lamella


def all_is_garbage(lamella: CommandLine) -> None:
    for path in (lamella.project_file, lamella.data / "registry.db"):
        path.write_bytes(GARBAGE)


def others_can_read(lamella: CommandLine) -> None:
    lamella.project_file.chmod(0o644)
    lamella.project_file.parent.chmod(0o755)


def miscounted(lamella: CommandLine) -> None:
    with closing(apsw.Connection(str(lamella.project_file))) as connection:
        connection.execute("UPDATE statistics SET live = 77")


@pytest.mark.parametrize(("fault", "left"), [(all_is_garbage, 0), (others_can_read, 2), (miscounted, 2)])
def test_a_fault_is_found_and_mended_on_request_and_nothing_deleted(
    lamella: CommandLine, fault: Callable[[CommandLine], None], left: int
) -> None:
    fault(lamella)
    before = lamella.files

    found = lamella.run("doctor")

    assert found.code == 1
    assert "\nfault   " in found.out
    assert re.search(r"\d faults?\. To repair: lamella doctor --repair\n$", found.out)
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
    assert len(lamella.listed()) == left
    assert len(lamella.listed("keep until")) == left
    saved = lamella.saved("Quinces keep until December.")
    assert lamella.listed("quinces") == [saved[:8]]
