"""Hooks of a plugin whose files or links are missing or broken: they go around it, or do nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from lamella_adapters.hooks.launch.interpreter_link import link
from tests.end_to_end.hooks.edits import EDIT, EDITED, hunks
from tests.end_to_end.hooks.machine import Machine
from tests.end_to_end.support.unhurried import ROOT
from tests.unit.support.tables import cases


@pytest.fixture
def linked(unlinked: Machine) -> Machine:
    """Return a machine whose hooks know their Python, and find the command too."""
    link(str(unlinked.linked))
    return unlinked


def harmed(machine: Machine, damage: str) -> None:
    """Run a command of the shell in the folder of a machine; `linked`, `plugin` and `bin` are below it."""
    subprocess.run(
        ["sh", "-ec", damage], cwd=machine.folder, env={"ROOT": str(ROOT), "PATH": "/usr/bin:/bin"}, check=True
    )


@cases
def test_it_goes_around_what_is_broken(linked: Machine, damage: str) -> None:
    harmed(linked, damage)
    linked.tell(EDIT)
    assert hunks(linked) == EDITED
    assert not (linked.folder / "foreign").exists()


@pytest.mark.unmeasured
@cases
def test_links_are_made_anew(linked: Machine, damage: str) -> None:
    paths, python = linked.linked / "paths", linked.linked / "python"
    whole = paths.read_bytes()
    harmed(linked, damage)
    linked.tell(EDIT)
    assert hunks(linked) == EDITED
    assert (paths.read_bytes(), python.readlink()) == (whole, Path(sys.executable).resolve())


@pytest.mark.unmeasured
@cases
def test_it_does_nothing_where_nothing_can_be_done(linked: Machine, damage: str) -> None:
    harmed(linked, damage)
    linked.tell(EDIT)
    assert not linked.data.exists()
