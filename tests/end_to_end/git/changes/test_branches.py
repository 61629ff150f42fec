"""Checkouts of memories, whether their work is in what is checked out now, and the files of a branch."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.memories.checkout import Checkout
from lamella_adapters.git.changes import branch_files, branches
from lamella_adapters.git.changes.branch_files import BranchFiles
from tests.end_to_end.git.git_repository import Repository, executable
from tests.end_to_end.git.uncommitted_changes import TREE


@pytest.fixture
def feature(repository: Repository) -> Repository:
    """Return a repository with a commit on the branch `feat`, which is checked out."""
    repository.git("checkout", "-q", "-b", "feat")
    repository.commit(c="paid\n")
    return repository


def test_large_branches_are_not_searched_for(feature: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    there = TREE.checkout(feature.root)
    feature.git("checkout", "-q", "main")
    feature.git("merge", "-q", "--squash", "feat")
    feature.git("commit", "-q", "-m", "pay")
    assert TREE.unmerged(feature.root, [there]) == {}
    monkeypatch.setattr(branches, "_MOST_FILES", 0)
    assert TREE.unmerged(feature.root, [there]) == {there: False}


def test_what_was_checked_out_at_a_time_is_known(repository: Repository) -> None:
    root, one = repository.root, repository.git("rev-parse", "HEAD")
    log = root / ".git" / "logs" / "HEAD"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    when = datetime.fromtimestamp(int(log.read_text().splitlines()[-1].split("\t")[0].split(" ")[-2]), UTC)

    def moved(minutes: int, before: str, after: str, why: str) -> None:
        at = int((when + timedelta(minutes=minutes)).timestamp())
        with log.open("a") as file:
            file.write(f"{before} {after} Ada <ada@example.org> {at} +0000\t{why}\n")

    two = "2" * 40
    moved(1, one, one, "checkout: moving from main to feat")
    moved(2, one, two, "commit: two")
    moved(3, two, one, f"checkout: moving from feat to {one}")
    moved(4, one, one, f"checkout: moving from {one} to main")
    at = [TREE.checkout(root, when + timedelta(minutes=minutes, seconds=30)) for minutes in range(5)]
    assert at == [("main", one), ("feat", one), ("feat", two), (None, one), ("main", one)]
    assert TREE.checkout(root, when - timedelta(days=1)) == ("main", None)


def test_imported_names_are_no_options_and_lead_nowhere(repository: Repository) -> None:
    outside = repository.root / "made"
    planted = (
        Checkout("feat", f"--output={outside}"),
        Checkout("../../config", "1" * 40),
        Checkout("x\0", "HEAD"),
    )
    assert TREE.unmerged(repository.root, planted) == {}
    assert not outside.exists()


@pytest.mark.parametrize("script", ["exit 1", "head -c 999999 /dev/zero; sleep 999", None])
def test_whatever_git_does_the_hook_goes_on(feature: Repository, tmp_path: Path, script: str | None) -> None:
    program = tmp_path / "git"
    if script is not None:
        executable(program, script)
    assert BranchFiles(str(feature.root), program=str(program)).get() == set()


def test_git_is_given_up_in_time(feature: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_files, "_SECONDS", 0)
    slow = executable(tmp_path / "git", "exec sleep 999")
    assert BranchFiles(str(feature.root), program=str(slow)).get() == set()


def test_a_plain_folder_is_on_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(os.urandom(9))
    assert BranchFiles(str(tmp_path)).get() == frozenset()
