"""Real repositories for drains."""

from pathlib import Path

import pytest

from tests.unit.adapters.git.git_repository import Repository
from tests.unit.capture.git_bench import CALL, LOG, RETRY, Bench, forget_notes


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return what the repository of each bench is a copy of."""
    made = Repository.made(tmp_path_factory.mktemp("bench") / "repository")
    made.commit(pay=RETRY + CALL, log=LOG)
    return made


@pytest.fixture
def bench(tmp_path: Path, work: Repository) -> Bench:
    repository = work.copied(tmp_path / "repository")
    forget_notes(repository)
    return Bench(repository)
