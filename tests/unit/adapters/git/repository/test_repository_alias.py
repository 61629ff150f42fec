import subprocess
from pathlib import Path

import pytest

from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository
from tests.waiting import HANG_SECONDS

URL = "https://example.org/org/shop.git"


@pytest.fixture(autouse=True)
def _no_settings_of_this_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))


def alias(root: Path, tree: GitWorkingTree | None = None) -> str | None:
    """The alias that a new process, or the given one, finds."""
    tree = tree or GitWorkingTree(patience=HANG_SECONDS)
    return tree.repository_alias(tree.locate(root))


def first_commit(repository: Repository) -> str:
    return repository.git("rev-list", "--max-parents=0", "HEAD")


@pytest.fixture
def shared(repository: Repository) -> Repository:
    """Return a repository with a remote."""
    repository.git("remote", "add", "origin", URL)
    return repository


def test_two_clones_have_the_alias_of_their_root_and_remote(shared: Repository, tmp_path: Path) -> None:
    shared.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "set-url", "origin", "git@Example.org:org/shop")
    clone.commit(c="1\n")
    assert alias(shared.root) == alias(clone.root) == f"repository:{first_commit(shared)}:example.org/org/shop"


def test_worktrees_and_folders_of_a_repository_have_one_alias(shared: Repository, tmp_path: Path) -> None:
    worktree = shared.worktree(tmp_path / "hotfix")
    (shared.root / "src").mkdir()
    assert {alias(each) for each in (worktree, shared.root / "src")} == {alias(shared.root)}


def test_a_fork_has_another_alias(shared: Repository) -> None:
    before = alias(shared.root)
    shared.git("remote", "set-url", "origin", "https://example.org/fork/shop")
    assert alias(shared.root) == str(before).replace("/org/", "/fork/")


def test_origin_is_the_remote_and_else_the_only_one(shared: Repository) -> None:
    known = alias(shared.root)
    shared.git("remote", "add", "aaa", "https://example.org/other/shop")
    assert alias(shared.root) == known
    shared.git("remote", "remove", "aaa")
    shared.git("remote", "rename", "origin", "github")
    assert alias(shared.root) == known
    shared.git("remote", "add", "aaa", "https://example.org/other/shop")
    assert alias(shared.root) is None


def test_abbreviations_of_the_user_are_spelled_out(shared: Repository, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".gitconfig").write_text('[url "https://token@example.org/"]\n  insteadOf = ex:\n')
    known = alias(shared.root)
    shared.git("remote", "set-url", "origin", "ex:org/shop.git")
    assert alias(shared.root) == known


def test_merging_an_unrelated_history_in_keeps_the_alias(shared: Repository, tmp_path: Path) -> None:
    known = alias(shared.root)
    for number in range(4):  # ids of roots are random: one of the four is smaller, most likely
        other = Repository.made(tmp_path / f"other-{number}")
        other.commit(**{f"z{number}": f"{number}\n"})
        shared.git("fetch", "--quiet", str(other.root), "HEAD")
        shared.git("merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "FETCH_HEAD")
    assert len(first_commit(shared).split()) == 5
    assert alias(shared.root) == known


def test_what_a_clone_replaces_for_itself_does_not_count(shared: Repository) -> None:
    known = alias(shared.root)
    shared.git("replace", "--graft", "HEAD")
    (shared.root / ".git/info").mkdir(exist_ok=True)
    (shared.root / ".git/info/grafts").write_text(shared.git("rev-parse", "HEAD") + "\n")
    assert alias(shared.root) == known


def test_a_shallow_clone_has_no_known_root(shared: Repository, tmp_path: Path) -> None:
    shared.git("clone", "--quiet", "--depth=1", f"file://{shared.root}", str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "set-url", "origin", URL)
    assert alias(clone.root) is None
    clone.git("fetch", "--quiet", "--unshallow", f"file://{shared.root}")
    assert alias(clone.root) == alias(shared.root)


def test_without_repository_commit_or_remote_there_is_no_alias(repository: Repository, tmp_path: Path) -> None:
    unborn = Repository.made(tmp_path / "unborn")
    unborn.git("remote", "add", "origin", URL)
    (tmp_path / "plain").mkdir()
    assert [alias(each) for each in (repository.root, unborn.root, tmp_path / "plain")] == [None] * 3
    repository.git("remote", "add", "origin", str(tmp_path))
    assert alias(repository.root) is None


def test_a_first_commit_and_another_remote_are_noticed_by_a_process_that_asked_before(unborn: Repository) -> None:
    tree = GitWorkingTree(patience=HANG_SECONDS)
    unborn.git("remote", "add", "origin", URL)
    assert alias(unborn.root, tree) is None
    unborn.commit(a="1\n")
    known = alias(unborn.root, tree)
    unborn.git("remote", "set-url", "origin", "https://example.org/a/longer/name")
    assert (known, alias(unborn.root, tree)) == (
        f"repository:{first_commit(unborn)}:example.org/org/shop",
        f"repository:{first_commit(unborn)}:example.org/a/longer/name",
    )


def test_git_is_asked_once_as_long_as_nothing_changes(shared: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = GitWorkingTree(patience=HANG_SECONDS)
    known = alias(shared.root, tree)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert alias(shared.root, tree) == known


def test_without_git_or_in_a_repository_that_has_lost_its_configuration_there_is_no_alias(
    shared: Repository,
) -> None:
    assert alias(shared.root, GitWorkingTree(program="no-such-git")) is None
    (shared.root / ".git/config").unlink()
    assert alias(shared.root) is None
