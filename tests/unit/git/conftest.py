"""Real repositories, and a git that has the time that it needs."""

from pathlib import Path

import pytest

from lamella_adapters.git import history
from tests.unit.git.git_repository import Repository
from tests.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give git the time that it needs."""
    monkeypatch.setattr(history, "_LATEST_SECONDS", HANG_SECONDS)


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
