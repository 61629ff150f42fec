"""Two clones of a repository on two machines."""

from pathlib import Path

import pytest

from tests.end_to_end.cli.exchange.machines import FOLDER, TEXT, Machine, machine
from tests.end_to_end.git.git_repository import Repository


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    made = Repository.made(tmp_path / "first")
    made.git("checkout", "--quiet", "-b", "main")
    made.commit(a="1\n")
    made.git("clone", "--quiet", "--bare", str(made.root), str(tmp_path / "remote.git"))
    return tmp_path / "remote.git"


@pytest.fixture
def ada(tmp_path: Path, remote: Path) -> Machine:
    return machine(tmp_path, remote, "ada")


@pytest.fixture
def bob(tmp_path: Path, remote: Path) -> Machine:
    return machine(tmp_path, remote, "bob")


@pytest.fixture
def both(ada: Machine, bob: Machine) -> tuple[Machine, Machine]:
    """Return two machines that share a memory saved on the first."""
    ada.lamella.saved(TEXT)
    ada.share(FOLDER)
    ada.push()
    bob.pull()
    bob.share(FOLDER)
    return ada, bob
