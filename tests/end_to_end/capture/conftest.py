"""Real repositories for drains."""

from pathlib import Path

import pytest

from tests.end_to_end.capture.git_bench import Bench, made
from tests.end_to_end.git.git_repository import Repository


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return what the repository of each bench is a copy of."""
    return made(tmp_path_factory.mktemp("bench") / "repository")


@pytest.fixture
def bench(tmp_path: Path, work: Repository) -> Bench:
    return Bench(work.copied(tmp_path / "repository"))
