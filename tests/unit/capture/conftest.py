"""Real repositories for drains."""

from pathlib import Path

import pytest

from lamella_adapters.git import history
from tests.unit.capture.git_bench import CALL, LOG, RETRY, Bench, forget_notes
from tests.unit.git.git_repository import Repository
from tests.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Git has the time that it needs."""
    monkeypatch.setattr(history, "_LATEST_SECONDS", HANG_SECONDS)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    repository = Repository.made(tmp_path / "repository")
    repository.commit(pay=RETRY + CALL, log=LOG)
    forget_notes(repository)
    return Bench(repository)
