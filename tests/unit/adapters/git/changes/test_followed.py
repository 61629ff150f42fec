"""Files that memories name, and that are not at their paths any more."""

from pathlib import Path

from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository

TREE = GitWorkingTree()
GONE, ABSENT, CHANGED = (FileState(each) for each in (Freshness.GONE, Freshness.ABSENT, Freshness.CHANGED))


def about(repository: Repository, *paths: str) -> list[CodeChange]:
    """Return the changes of a memory that is saved now."""
    versions = TREE.versions(repository.root, paths)
    return [CodeChange(path=path, version=versions.get(path)) for path in paths]


def states(repository: Repository, changes: list[CodeChange]) -> list[FileState | None]:
    return list(TREE.freshness(repository.root, changes))


def test_a_file_that_a_commit_moved_is_followed(repository: Repository) -> None:
    saved = about(repository, "a.py", "b.py")
    repository.write("src/x", "")
    repository.git("mv", "a.py", "src/a b é.py")
    repository.git("commit", "-q", "-m", "move")
    assert states(repository, saved) == [FileState(None, path="src/a b é.py"), None]
    repository.git("mv", "src/a b é.py", "c.py")
    repository.git("commit", "-q", "-m", "move again")
    assert states(repository, saved) == [FileState(None, path="c.py"), None]
    repository.write("c.py", "other\n")
    assert states(repository, saved) == [FileState(Freshness.CHANGED, path="c.py"), None]
    repository.git("rm", "-q", "-f", "c.py")
    assert states(repository, saved) == [GONE, None]


def test_a_deleted_file_is_gone(repository: Repository) -> None:
    saved = about(repository, "a.py", "b.py")
    (repository.root / "b.py").unlink()
    repository.git("rm", "-q", "a.py")
    repository.git("commit", "-q", "-m", "delete")
    assert states(repository, saved) == [GONE, GONE]
    assert states(repository, [CodeChange(path="a.py")]) == [GONE]


def test_a_file_of_no_commit_is_not_here(repository: Repository) -> None:
    repository.write("draft.py", "x\n")
    saved = [*about(repository, "draft.py"), CodeChange(path="never.py"), CodeChange(path="a.py")]
    assert states(repository, saved) == [None, ABSENT, None]
    (repository.root / "draft.py").unlink()
    assert states(repository, saved) == [ABSENT, ABSENT, None]


def test_a_file_of_another_branch_is_not_here(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "feat")
    repository.commit(c="c\n")
    saved = about(repository, "c.py")
    repository.git("checkout", "-q", "main")
    assert states(repository, saved) == [ABSENT]


def test_a_folder_is_there(repository: Repository) -> None:
    repository.write("src/x.py", "x\n")
    assert states(repository, [CodeChange(path="src")]) == [None]


def test_without_a_repository_the_folder_decides(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    saved = about(Repository(tmp_path), "a", "b")
    (tmp_path / "a").unlink()
    assert states(Repository(tmp_path), saved) == [GONE, ABSENT]


def test_without_a_commit_the_folder_decides(tmp_path: Path) -> None:
    repository = Repository.made(tmp_path)
    repository.write("a", "x")
    saved = about(repository, "a", "b")
    (tmp_path / "a").unlink()
    assert states(repository, saved) == [GONE, ABSENT]


def test_where_git_gives_no_answer_a_missing_file_is_gone(repository: Repository) -> None:
    saved = about(repository, "a.py")
    (repository.root / "a.py").unlink()
    assert GitWorkingTree(program="no-git").freshness(repository.root, saved) == (GONE,)


def test_only_the_lines_that_a_memory_is_about_count(repository: Repository) -> None:
    text = "".join(f"line {number}\n" for number in range(1_264))
    repository.commit(a=text)
    edited = text.replace("line 600\n", "line 600\nretry = 3\nwait = 5\n")
    repository.write("a.py", edited)
    (change,) = TREE.changes(repository.root, ["a.py"])
    saved = [CodeChange(path="a.py", hunks=change.hunks, version=TREE.versions(repository.root, ["a.py"])["a.py"])]
    repository.write("a.py", edited.replace("line 7\n", "line seven\n"))
    assert states(repository, saved) == [None]
    repository.write("a.py", edited.replace("retry = 3", "retry = 4"))
    assert states(repository, saved) == [CHANGED]
    repository.git("mv", "a.py", "c.py")
    repository.write("c.py", edited.replace("line 7\n", "line seven\n"))
    repository.git("commit", "-q", "-a", "-m", "move and edit")
    assert states(repository, saved) == [FileState(None, path="c.py")]
