from lamella.ports.working_tree import Past
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.adapters.git.uncommitted_changes import TREE


def test_the_past_of_a_folder_tells_deleted_files_from_those_of_other_branches(repository: Repository) -> None:
    names = ("deleted", "removed", "kept\nü", "moved")
    for name in names:
        repository.write(f"docs/{name}.md", f"{name}\n")
    repository.write("other/else.md", "x\n")
    repository.commit()
    repository.git("rm", "--quiet", "docs/deleted.md")
    repository.git("mv", "docs/moved.md", "docs/there.md")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "feature")
    repository.write("docs/feature.md", "feature\n")
    repository.commit()
    repository.git("checkout", "--quiet", "-")
    (repository.root / "docs/removed.md").unlink()
    past = TREE.past(repository.root, "docs")
    assert past == Past(
        deleted=frozenset({"docs/deleted.md", "docs/moved.md"}),
        missing=frozenset({"docs/removed.md"}),
        ever=frozenset({*(f"docs/{name}.md" for name in names), "docs/there.md", "docs/feature.md"}),
    )
    assert [past.lost(f"docs/{name}.md") for name in ("deleted", "removed", "moved", "feature", "stray")] == [
        True, True, True, False, True,
    ]  # fmt: skip


def test_a_deletion_that_was_merged_is_of_the_past(repository: Repository) -> None:
    repository.write("docs/a.md", "a\n")
    repository.git("checkout", "--quiet", "-b", "feature")
    repository.git("checkout", "--quiet", "-")
    repository.commit()
    repository.git("rm", "--quiet", "docs/a.md")
    repository.commit()
    repository.git("checkout", "--quiet", "feature")
    assert TREE.past(repository.root, "docs") == Past(ever=frozenset({"docs/a.md"}))
    repository.commit(c="work\n")
    repository.git("merge", "--quiet", "--no-edit", "-")
    past = TREE.past(repository.root, "docs")
    assert past is not None
    assert past.lost("docs/a.md")


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_missing(repository: Repository) -> None:
    repository.write("docs/a.md", "a\n")
    repository.commit()
    repository.git("update-index", "--skip-worktree", "docs/a.md")
    (repository.root / "docs/a.md").unlink()
    assert TREE.past(repository.root, "docs") == Past(ever=frozenset({"docs/a.md"}))


def test_there_is_no_past_without_commits(unborn: Repository) -> None:
    assert TREE.past(unborn.root, "docs") is None


def test_there_is_no_past_without_git(repository: Repository) -> None:
    assert GitWorkingTree(program="no-git").past(repository.root, "docs") is None
