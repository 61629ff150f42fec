"""Real repositories for drains."""

from pathlib import Path

import pytest

from tests.unit.adapters.git.git_repository import Repository
from tests.unit.capture.git_bench import CALL, LOG, RETRY, Bench, forget_notes


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    repository = Repository.made(tmp_path / "repository")
    repository.commit(pay=RETRY + CALL, log=LOG)
    forget_notes(repository)
    return Bench(repository)
