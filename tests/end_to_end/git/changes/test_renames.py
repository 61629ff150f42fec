import time
from pathlib import Path

import pytest

from lamella_adapters.git.changes import renames
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository, executable
from tests.end_to_end.git.uncommitted_changes import EVER, LONG, TREE, uncommitted
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS


@pytest.fixture
def repository(long_file: Repository) -> Repository:
    return long_file


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


def test_former_names_of_a_file_and_a_folder_are_known_before_and_after_the_commit(repository: Repository) -> None:
    for name in ("one", "two"):
        repository.write(f"lib/{name}.py", LONG.replace("line", name))
    repository.commit()
    assert (names(repository, "lib/one.py"), names(repository, "lib"), names(repository, ".")) == ((), (), ())
    repository.git("mv", "lib", "src")
    files, formers = ("src/one.py", "src/two.py"), ("lib/one.py", "lib/two.py")
    for _ in range(2):  # uncommitted, then committed
        assert [names(repository, file) for file in files] == [(former,) for former in formers]
        assert sorted(names(repository, "src")) == ["lib", *formers]
        repository.commit()
    (repository.root / "src").rename(repository.root / "app")  # not in the index
    assert names(repository, "app/two.py") == ("src/two.py", "lib/two.py")
    assert sorted(names(repository, "app")) == ["lib", *formers, "src", *files]


def test_a_file_taken_from_a_folder_that_remains_does_not_rename_the_folder(repository: Repository) -> None:
    for name in ("one", "two"):
        repository.write(f"lib/{name}.py", LONG.replace("line", name))
    repository.commit()
    (repository.root / "src").mkdir()
    repository.git("mv", "lib/one.py", "src/one.py")
    assert names(repository, "src") == ("lib/one.py",)


def test_without_an_answer_from_git_no_former_name_is_known(repository: Repository, tmp_path: Path) -> None:
    assert TREE.former_names(tmp_path, "a.py") == ()
    (repository.root / "a.py").rename(repository.root / "d.py")
    failing = executable(tmp_path / "git", 'case "$*" in *update-index*) exit 1;; esac\nexec git "$@"')
    assert GitWorkingTree(program=str(failing)).former_names(repository.root, "d.py") == ()
    assert names(repository, "d.py") == ("a.py",)


def test_former_names_are_remembered_for_a_moment(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    tree = GitWorkingTree()
    (repository.root / "a.py").rename(repository.root / "d.py")
    assert tree.former_names(repository.root, "d.py") == ("a.py",)
    (repository.root / "d.py").rename(repository.root / "a.py")
    assert tree.former_names(repository.root, "d.py") == ("a.py",)
    now[0] = 2.0
    assert tree.former_names(repository.root, "d.py") == ()


def names(repository: Repository, path: str) -> tuple[str, ...]:
    return GitWorkingTree().former_names(repository.root, path)
