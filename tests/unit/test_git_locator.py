"""What a process remembers of where its directory belongs."""

import os
from pathlib import Path

import pytest

from lamella_adapters.git.locator import Locator

from .git_repository import Repository

_LONG_AGO = 10**18
"""In nanoseconds since 1970: the year 2001."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.made(tmp_path / "shop")


@pytest.fixture
def locator() -> Locator:
    return Locator()


def settle(*folders: Path) -> None:
    for folder in folders:
        os.utime(folder, ns=(_LONG_AGO, _LONG_AGO))


def unmake(repository: Repository) -> None:
    """Makes it none of git's, and its folders look as if nothing had happened."""
    (repository.root / ".git" / "HEAD").unlink()
    settle(repository.root / ".git")


def test_nothing_is_looked_at_again_while_no_folder_has_changed(repository: Repository, locator: Locator) -> None:
    settle(repository.root, repository.root / ".git")
    first = locator.locate(repository.root)
    unmake(repository)
    assert locator.locate(repository.root) == first


def test_a_folder_that_was_changed_a_moment_ago_is_looked_at_again(
    repository: Repository, locator: Locator
) -> None:
    settle(repository.root / ".git")
    first = locator.locate(repository.root)
    unmake(repository)
    assert locator.locate(repository.root) != first


def test_another_directory_is_another_question(repository: Repository, locator: Locator, tmp_path: Path) -> None:
    other = Repository.made(tmp_path / "other")
    settle(*(folder for each in (repository, other) for folder in (each.root, each.root / ".git")))
    names = [locator.locate(each.root).name for each in (repository, other, repository)]
    assert names == ["shop", "other", "shop"]


def test_a_repository_that_is_made_later_is_noticed(locator: Locator, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    settle(folder)
    assert locator.locate(folder).key == f"dir:{folder}"
    Repository.made(folder)
    assert locator.locate(folder).key == f"git:{folder}/.git"


def test_a_repository_that_is_made_further_in_is_noticed(repository: Repository, locator: Locator) -> None:
    inner = repository.root / "packages" / "core"
    inner.mkdir(parents=True)
    settle(inner, inner.parent, repository.root, repository.root / ".git")
    assert locator.locate(inner).name == "shop"
    Repository.made(inner.parent)
    assert locator.locate(inner).name == "packages"


def test_a_repository_that_was_half_made_is_noticed(locator: Locator, tmp_path: Path) -> None:
    dot_git = tmp_path / "begun" / ".git"
    dot_git.mkdir(parents=True)
    settle(dot_git, dot_git.parent)
    assert locator.locate(dot_git.parent).key == f"dir:{dot_git.parent}"
    Repository.made(dot_git.parent)
    assert locator.locate(dot_git.parent).key == f"git:{dot_git}"


def test_a_repository_that_is_gone_is_noticed(repository: Repository, locator: Locator) -> None:
    settle(repository.root, repository.root / ".git")
    assert locator.locate(repository.root).key.startswith("git:")
    (repository.root / ".git").rename(repository.root / "not-git")
    assert locator.locate(repository.root).key == f"dir:{repository.root}"


def test_a_worktree_that_is_pointed_elsewhere_is_noticed(
    repository: Repository, locator: Locator, tmp_path: Path
) -> None:
    repository.commit(a="1\n")
    tree = repository.worktree(tmp_path / "hotfix")
    settle(tree, tree / ".git", repository.root / ".git")
    assert locator.locate(tree).name == "shop"
    other = Repository.made(tmp_path / "other")
    (tree / ".git").write_text(f"gitdir: {other.root}/.git\n", encoding="utf-8")
    assert locator.locate(tree).name == "other"


def test_a_link_that_leads_elsewhere_is_noticed(repository: Repository, locator: Locator, tmp_path: Path) -> None:
    other = Repository.made(tmp_path / "other")
    link = tmp_path / "current"
    link.symlink_to(repository.root)
    settle(repository.root, repository.root / ".git")
    assert locator.locate(link).name == "shop"
    link.unlink()
    link.symlink_to(other.root)
    assert locator.locate(link).name == "other"


def test_a_folder_that_was_moved_away_belongs_where_it_was(repository: Repository, locator: Locator) -> None:
    settle(repository.root, repository.root / ".git")
    locator.locate(repository.root)
    repository.root.rename(repository.root.with_name("elsewhere"))
    assert locator.locate(repository.root).key == f"dir:{repository.root}"
