"""A project in which hooks answer, and machines on which they run."""

from pathlib import Path

import pytest

from lamella_adapters.hooks.launch.interpreter_link import link
from tests.end_to_end.hooks.machine import Machine
from tests.end_to_end.hooks.place import Place, made_in, without_settings


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return a project with memories, in which hooks answer."""
    without_settings(monkeypatch)
    return made_in(tmp_path)


@pytest.fixture
def said(place: Place) -> Place:
    """Return a place where all three hooks that answer have something to say."""
    assert all(place.answers())
    return place


@pytest.fixture
def unlinked(tmp_path: Path) -> Machine:
    """Return a machine whose hooks have to find the command."""
    return Machine(tmp_path)


@pytest.fixture
def machine(unlinked: Machine) -> Machine:
    """Return a machine whose hooks know their Python, and nothing else: nobody stores what they keep."""
    link(str(unlinked.linked))
    (unlinked.folder / "bin" / "lamella").unlink()
    return unlinked
