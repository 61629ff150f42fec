"""Checkouts of memories, and whether their work is in what is checked out now."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.memories.checkout import Checkout
from lamella_adapters.git.changes import branches
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository

TREE = GitWorkingTree()


def saved(repository: Repository) -> Checkout:
    """Return what a memory that is saved now keeps."""
    return TREE.checkout(repository.root)


def apart(repository: Repository, *checkouts: Checkout) -> dict[Checkout, bool]:
    return dict(TREE.unmerged(repository.root, checkouts))


def on_feature(repository: Repository) -> Checkout:
    """Commit on a new branch, and go back to main."""
    repository.git("checkout", "-q", "-b", "feat/pay")
    repository.commit(c="paid\n")
    there = saved(repository)
    repository.git("checkout", "-q", "main")
    return there


def test_branch_and_commit_are_those_that_git_names(repository: Repository) -> None:
    assert tuple(saved(repository)) == ("main", repository.git("rev-parse", "HEAD"))
    there = on_feature(repository)
    assert tuple(there) == ("feat/pay", repository.git("rev-parse", "feat/pay"))
    repository.git("pack-refs", "--all")
    assert saved(repository) == ("main", repository.git("rev-parse", "main"))
    repository.git("checkout", "-q", "--detach", "feat/pay")
    assert saved(repository) == (None, there.head)


def test_a_worktree_has_its_own_branch(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", "-b", "feat", str(tmp_path / "tree"))
    there = Repository(tmp_path / "tree")
    there.commit(c="c\n")
    assert saved(there) == ("feat", repository.git("rev-parse", "feat"))
    assert apart(repository, saved(there)) == {saved(there): False}
    assert apart(there, saved(repository)) == {}


def test_without_repository_or_commit_little_is_known(tmp_path: Path) -> None:
    assert TREE.checkout(tmp_path) == (None, None)
    assert TREE.unmerged(tmp_path, [Checkout("feat", "1" * 40)]) == {}
    repository = Repository.made(tmp_path / "new")
    assert saved(repository) == ("main", None)
    assert apart(repository, Checkout("feat", "1" * 40), Checkout("feat")) == {}


def test_a_branch_is_apart_until_it_is_merged(repository: Repository) -> None:
    there = on_feature(repository)
    assert apart(repository, there, saved(repository)) == {there: False}
    repository.git("checkout", "-q", "--detach", "main")
    assert apart(repository, there) == {there: False}
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "--no-edit", "feat/pay")
    assert apart(repository, there) == {}
    repository.git("branch", "-q", "-d", "feat/pay")
    assert apart(repository, there) == {}


def test_a_commit_that_is_merged_stays_so_while_its_branch_goes_on(repository: Repository) -> None:
    there = on_feature(repository)
    repository.git("merge", "-q", "feat/pay")
    repository.git("checkout", "-q", "feat/pay")
    repository.commit(d="more\n")
    later = saved(repository)
    repository.git("checkout", "-q", "main")
    assert apart(repository, there, later) == {later: False}


def test_what_was_saved_before_the_first_commit_of_a_branch_waits_for_that(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feat")
    there = saved(repository)
    repository.git("checkout", "-q", "main")
    assert apart(repository, there) == {there: False}
    repository.git("checkout", "-q", "feat")
    repository.commit(c="c\n")
    repository.git("checkout", "-q", "main")
    assert apart(repository, there) == {there: False}
    repository.git("merge", "-q", "feat")
    assert apart(repository, there) == {}


def test_a_branch_that_was_fetched_has_work_at_its_beginning(repository: Repository, tmp_path: Path) -> None:
    on_feature(repository)
    repository.git("clone", "-q", str(repository.root), str(tmp_path / "clone"))
    clone = Repository((tmp_path / "clone").resolve())
    clone.git("checkout", "-q", "feat/pay")
    there = saved(clone)
    clone.git("checkout", "-q", "main")
    assert apart(clone, there) == {there: False}
    clone.git("merge", "-q", "feat/pay")
    assert apart(clone, there) == {}


@pytest.mark.parametrize("deleted", [False, True])
def test_squashed_work_is_here(repository: Repository, *, deleted: bool) -> None:
    repository.git("checkout", "-q", "-b", "feat")
    repository.commit(c="draft\n")
    draft = saved(repository)
    repository.commit(c="final\n")
    final = saved(repository)
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--squash", "feat")
    repository.git("commit", "-q", "-m", "feat (#1)")
    repository.commit(c="mended since\n")
    if deleted:
        repository.git("branch", "-q", "-D", "feat")
    # Only the end of the branch is in the squashed commit.
    assert apart(repository, draft, final) == ({draft: True} if deleted else {})


def test_rebased_work_is_here_by_its_branch(repository: Repository) -> None:
    there = on_feature(repository)
    repository.commit(a="changed meanwhile\n")
    repository.git("rebase", "-q", "main", "feat/pay")
    repository.git("checkout", "-q", "main")
    assert apart(repository, there) == {there: False}
    repository.git("merge", "-q", "feat/pay")
    assert apart(repository, there) == {}


def test_an_abandoned_branch_is_named_as_deleted_as_long_as_git_has_its_commits(repository: Repository) -> None:
    there = on_feature(repository)
    repository.git("branch", "-q", "-D", "feat/pay")
    assert apart(repository, there) == {there: True}
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.git("gc", "-q", "--prune=now")
    assert apart(repository, there) == {}


def test_large_branches_are_not_searched_for(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    there = on_feature(repository)
    repository.git("merge", "-q", "--squash", "feat/pay")
    repository.git("commit", "-q", "-m", "pay")
    assert apart(repository, there) == {}
    monkeypatch.setattr(branches, "_MOST_FILES", 0)
    assert apart(repository, there) == {there: False}


def test_an_empty_commit_arrives_with_nothing(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feat")
    repository.git("commit", "-q", "--allow-empty", "-m", "empty")
    there = saved(repository)
    repository.git("checkout", "-q", "main")
    assert apart(repository, there) == {there: False}


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


def test_strange_names_lead_nowhere(repository: Repository) -> None:
    (repository.root / ".git" / "HEAD").write_text("ref: refs/heads/../../config\n")
    assert TREE.checkout(repository.root).head is None
    shutil.rmtree(repository.root / ".git" / "refs")
    assert TREE.checkout(repository.root) == (None, None)


def test_imported_names_are_no_options_and_lead_nowhere(repository: Repository) -> None:
    outside = repository.root / "made"
    planted = (
        Checkout("feat", f"--output={outside}"),
        Checkout("../../config", "1" * 40),
        Checkout("x\0", "HEAD"),
    )
    assert apart(repository, *planted) == {}
    assert not outside.exists()
