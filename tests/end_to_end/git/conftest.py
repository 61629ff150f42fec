"""Real repositories."""

from pathlib import Path

import pytest

from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.git.uncommitted_changes import LONG


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return what `repository` is a copy of."""
    made = Repository.made(tmp_path_factory.mktemp("git") / "shop")
    made.commit(a="1\n2\n3\n")
    made.commit(b="one\n")
    return made


@pytest.fixture
def repository(tmp_path: Path, shop: Repository) -> Repository:
    """Return a repository with two commits: `a.py` is of the first, `b.py` of the second."""
    return shop.copied(tmp_path / "shop")


@pytest.fixture(scope="session")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return what `long_file` is a copy of."""
    made = Repository.made(tmp_path_factory.mktemp("git") / "repository")
    made.commit(a=LONG, b="one\ntwo\n", c="gone\n")
    return made


@pytest.fixture
def long_file(tmp_path: Path, lines: Repository) -> Repository:
    """Return a repository with one commit, of `a.py`, which is long, of `b.py` and of `c.py`."""
    return lines.copied(tmp_path / "repository")


@pytest.fixture
def unborn(tmp_path: Path) -> Repository:
    """Return a repository without commits."""
    return Repository.made(tmp_path / "shop")
