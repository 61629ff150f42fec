from pathlib import Path

import pytest

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes import renames
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository, executable
from tests.unit.adapters.git.uncommitted_changes import EVER, LONG, TREE, uncommitted
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS


@pytest.fixture
def repository(long_file: Repository) -> Repository:
    return long_file


def test_what_is_gone_and_nowhere_else_was_deleted(repository: Repository) -> None:
    (repository.root / "a.py").unlink()
    (repository.root / "c.py").unlink()
    repository.write("empty.py", "")
    repository.write("other.py", LONG[: len(LONG) // 3])
    assert [(each.path, each.former) for each in uncommitted(repository.root) or ()] == [
        ("a.py", None),
        ("c.py", None),
    ]
    for number in range(2_000):
        repository.write(f"many/{number}.py", LONG)
    assert [each.former for each in uncommitted(repository.root) or ()] == [None, None]


def test_a_large_folder_that_was_moved_is_renamed_file_by_file(repository: Repository) -> None:
    for number in range(150):
        lines = (f"value_{number}_{line} = compute({number}, {line}, {'with, ' * 15}end)\n" for line in range(300))
        repository.write(f"src/{number:03}.py", "".join(lines))
    repository.commit()
    (repository.root / "src").rename(repository.root / "lib")
    for number in range(0, 150, 3):
        with (repository.root / f"lib/{number:03}.py").open("a") as file:
            file.write("more = 1\n")
    found = TREE.uncommitted(repository.root, since=EVER[0], until=EVER[1])
    assert found is not None
    assert [(each.former, each.path, each.additions, each.deletions) for each in found.changes] == [
        (f"src/{number:03}.py", f"lib/{number:03}.py", int(number % 3 == 0), 0) for number in range(150)
    ]


@pytest.mark.parametrize("asked", ["ls-files", "git-path", "update-index", "diff-filter"])
@pytest.mark.parametrize(("fails", "patience"), [("sleep 60", 0.3), ("exit 1", HANG_SECONDS)])
def test_where_git_does_not_say_what_was_moved_there_is_no_answer(
    repository: Repository, tmp_path: Path, asked: str, fails: str, patience: float
) -> None:
    (repository.root / "a.py").rename(repository.root / "d.py")
    (repository.root / "d.py").write_text(LONG + "more\n")
    failing = executable(tmp_path / "git", f'case "$*" in *{asked}*) {fails};; esac\nexec git "$@"')
    tree = GitWorkingTree(program=str(failing), patience=patience)
    assert tree.uncommitted(repository.root, since=EVER[0], until=EVER[1]) is None


def test_of_many_files_that_were_changed_and_renamed_few_are_compared(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.root / "a.py").unlink()
    repository.write("d.py", LONG + "more\n")
    repository.write("e.py", LONG.replace("line", "another line"))
    limit = f"-l{renames._RENAME_LIMIT}"
    for pairs, former in (("-l1", None), ("-l2", "a.py")):
        limited = tuple(pairs if option == limit else option for option in renames._DIFF)
        with monkeypatch.context() as patched:
            patched.setattr(renames, "_DIFF", limited)
            assert [each.former for each in uncommitted(repository.root) or ()] == [former]


@cases
def test_where_too_much_is_new_no_renames_are_looked_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, bound: str, enough: int, too_few: int
) -> None:
    (repository.root / "a.py").rename(repository.root / "d.py")
    repository.write("e.py", "1\n")
    for limit, former in ((enough, "a.py"), (too_few, None)):
        monkeypatch.setattr(renames, bound, limit)
        assert [each.former for each in uncommitted(repository.root) or ()] == [former]


def test_a_long_file_that_was_moved_is_renamed_and_its_lines_are_counted(repository: Repository) -> None:
    repository.commit(long=LONG * 300)
    (repository.root / "long.py").unlink()
    repository.write("moved.py", LONG * 300 + "more\n")
    (moved,) = uncommitted(repository.root) or ()
    assert (moved.path, moved.former, moved.additions, moved.deletions) == ("moved.py", "long.py", 1, 0)


def test_a_rename_is_found_in_every_kind_of_repository(repository: Repository, tmp_path: Path) -> None:
    sha256 = Repository.made(tmp_path / "sha256", "--object-format=sha256")
    sha256.commit(a=LONG)
    worktree = Repository(repository.worktree(tmp_path / "worktree"))
    repository.write("folder/a.py", LONG)
    repository.commit()
    for root in (sha256.root, worktree.root, repository.root / "folder"):
        (root / "a.py").rename(root / "d.py")
        assert [(each.path, each.former) for each in uncommitted(root) or ()] == [("d.py", "a.py")]


def test_another_kind_of_line_end_is_no_difference(repository: Repository) -> None:
    (repository.root / "a.py").unlink()
    repository.write("d.py", LONG.replace("\n", "\r\n"))
    (moved,) = uncommitted(repository.root) or ()
    assert moved == CodeChange(path="d.py", former="a.py", additions=0, deletions=0)
