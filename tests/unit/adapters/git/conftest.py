"""Real repositories."""

from pathlib import Path

import pytest

from tests.unit.adapters.git.git_repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with two commits: `a.py` is of the first, `b.py` of the second."""
    made = Repository.made(tmp_path / "shop")
    made.commit(a="1\n2\n3\n")
    made.commit(b="one\n")
    return made


@pytest.fixture
def unborn(tmp_path: Path) -> Repository:
    """Return a repository without commits."""
    return Repository.made(tmp_path / "shop")
