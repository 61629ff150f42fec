import os
from pathlib import Path

import pytest

from lamella_adapters.git.changes import branch_files
from lamella_adapters.git.changes.branch_files import BranchFiles
from tests.unit.adapters.git.git_repository import Repository, executable
from tests.waiting import HANG_SECONDS


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(branch_files, "_SECONDS", HANG_SECONDS)
    made = Repository.made(tmp_path / "shop")
    made.commit(old="1")
    return made


def changed(repository: Repository, root: Path | None = None, program: str = "git") -> set[str]:
    return set(BranchFiles(str(root or repository.root), program=program).get())


def test_a_branch_has_the_files_of_its_own_commits(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "feat")
    assert changed(repository) == set()
    repository.commit(first="1")
    repository.write("sub/éü.py", "2\n")
    repository.commit(first="2")
    repository.write("uncommitted.py", "3\n")
    assert changed(repository) == {"first.py", "sub/éü.py"}
    repository.git("checkout", "--quiet", "main")
    repository.commit(later="1")
    assert changed(repository) == set()
    repository.git("checkout", "--quiet", "--detach", "feat")
    assert changed(repository) == {"first.py", "sub/éü.py"}


def test_each_working_tree_is_on_a_branch_of_its_own(repository: Repository, tmp_path: Path) -> None:
    tree = repository.worktree(tmp_path / "tree")
    repository.git("pack-refs", "--all")
    other = Repository(tree)
    other.git("checkout", "--quiet", "-b", "feat")
    other.commit(first="1")
    assert (changed(repository, tree), changed(repository)) == ({"first.py"}, set())


def test_the_default_branch_is_the_one_that_the_remote_names(repository: Repository, tmp_path: Path) -> None:
    repository.git("branch", "--move", "trunk")
    copy = Repository.made(tmp_path / "copy")
    assert changed(copy) == set()
    copy.git("remote", "add", "origin", str(repository.root))
    copy.git("fetch", "--quiet", "origin")
    copy.git("remote", "set-head", "origin", "trunk")
    copy.git("checkout", "--quiet", "trunk")
    copy.commit(own="1")
    assert changed(copy) == set()
    copy.git("checkout", "--quiet", "-b", "feat")
    assert changed(copy) == {"own.py"}


@pytest.mark.parametrize("script", ["exit 1", "head -c 999999 /dev/zero; sleep 999", None])
def test_whatever_git_does_the_hook_goes_on(repository: Repository, tmp_path: Path, script: str | None) -> None:
    repository.git("checkout", "--quiet", "-b", "feat")
    program = tmp_path / "git"
    if script is not None:
        executable(program, script)
    assert changed(repository, program=str(program)) == set()


def test_git_is_given_up_in_time(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_files, "_SECONDS", 0)
    repository.git("checkout", "--quiet", "-b", "feat")
    slow = executable(tmp_path / "git", "exec sleep 999")
    assert changed(repository, program=str(slow)) == set()


def test_a_plain_folder_is_on_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").write_bytes(os.urandom(9))
    assert BranchFiles(str(tmp_path)).get() == frozenset()
