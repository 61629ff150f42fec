"""Git processes of hooks."""

import os
from pathlib import Path

import pytest

from lamella_adapters.git.repository.asking import asking
from tests.end_to_end.git.git_repository import Repository, executable


def test_an_answer_is_what_git_prints_however_long(repository: Repository) -> None:
    ask = asking(str(repository.root), 30)
    assert ask("rev-parse", "HEAD") == f"{repository.git('rev-parse', 'HEAD')}\n".encode()
    repository.commit(long="x" * 1_000_000)
    assert ask("show", "HEAD:long.py") == b"x" * 1_000_000


def test_there_is_no_answer_where_git_fails_is_missing_or_takes_too_long(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asking(str(repository.root), 30)("rev-parse", "none") is None
    assert asking(str(repository.root), 30)("rev-parse", "\0") is None
    executable(tmp_path / "git", "exec sleep 600")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert asking(str(repository.root), 0.1)("rev-parse", "HEAD") is None
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    assert asking(str(repository.root), 30)("rev-parse", "HEAD") is None


def test_no_descriptor_stays_open(repository: Repository) -> None:
    folder = Path("/proc/self/fd")
    before = len(list(folder.iterdir()))
    for _ in range(3):
        asking(str(repository.root), 30)("rev-parse", "HEAD")
    assert len(list(folder.iterdir())) == before
