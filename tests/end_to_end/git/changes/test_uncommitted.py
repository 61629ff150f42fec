import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.ledger.hunks import MAX_HUNK_CHARACTERS
from lamella_adapters.git.changes.parse_patch import MOST_FILES
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository, executable
from tests.end_to_end.git.uncommitted_changes import EVER, TREE, uncommitted
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS


@pytest.fixture
def repository(long_file: Repository) -> Repository:
    return long_file


def test_hunks_and_files_are_bounded(repository: Repository) -> None:
    for number in range(MOST_FILES + 7):
        repository.write(f"many/{number:03}.py", "before\n")
    repository.commit()
    for number in range(MOST_FILES + 7):
        repository.write(f"many/{number:03}.py", ("after " * 50 + "\n") * 40)
    found = TREE.uncommitted(repository.root, since=EVER[0], until=EVER[1])
    assert found is not None
    assert [each.path for each in found.changes] == [f"many/{number:03}.py" for number in range(MOST_FILES)]
    assert found.more == tuple(f"many/{MOST_FILES + number}.py" for number in range(7))
    assert max(len(each.hunks) for each in found.changes) <= MAX_HUNK_CHARACTERS


def test_a_difference_without_end_is_read_up_to_a_point(repository: Repository) -> None:
    names = [f"b{number}" for number in range(8)]
    repository.commit(**dict.fromkeys(names, "word\n"))
    for name in names:
        repository.write(f"{name}.py", ("other " * 50 + "\n") * 3_000)
    found = TREE.uncommitted(repository.root, since=EVER[0], until=EVER[1])
    assert found is not None
    read, more = [f"b{number}.py" for number in range(4)], tuple(f"b{number}.py" for number in range(4, 8))
    assert ([each.path for each in found.changes], found.more) == (read, more)


def test_a_list_of_names_without_end_is_read_up_to_a_point(repository: Repository, tmp_path: Path) -> None:
    script = "case \"$*\" in *name-status*) yes 'M' | tr '\\n' '\\0';; *) exit 1;; esac"
    tree = GitWorkingTree(program=str(executable(tmp_path / "endless", script)), patience=HANG_SECONDS)
    assert tree.uncommitted(repository.root, since=EVER[0], until=EVER[1]) is None


def test_what_was_touched_at_another_time_is_not_told(repository: Repository) -> None:
    file = repository.write("a.py", "other\n")
    moment = TREE.touched(repository.root, file.name)
    tick = timedelta(microseconds=1)
    assert len(uncommitted(repository.root, moment, moment) or ()) == 1
    assert uncommitted(repository.root, moment + tick) == uncommitted(repository.root, until=moment - tick) == ()


def test_without_an_answer_nothing_is_known(repository: Repository, tmp_path: Path) -> None:
    slow = executable(tmp_path / "slow", "sleep 60")
    trees = [GitWorkingTree(program=str(slow), patience=0.1), GitWorkingTree(program="/no/such/program")]
    assert [each.uncommitted(repository.root, since=EVER[0], until=EVER[1]) for each in trees] == [None, None]
    assert uncommitted(Repository.made(tmp_path / "empty").root) is None
    assert uncommitted(tmp_path) == ()


def in_this_test(repository: Repository, moment: datetime) -> bool:
    """Return True if a time is between the creation of the repository and now, by the file system's clock."""
    (repository.root.parent / "now").touch()
    began, now = (
        datetime.fromtimestamp(path.lstat().st_ctime, UTC)
        for path in (repository.root / ".git" / "description", repository.root.parent / "now")
    )
    return began <= moment <= now


def touched_in_this_test(repository: Repository, path: str) -> bool:
    return in_this_test(repository, TREE.touched(repository.root, path))


def test_a_file_is_read_as_it_stands(repository: Repository) -> None:
    repository.write("a.py", b"caf\xff\n")
    assert TREE.text(repository.root, "a.py") == "caf\N{REPLACEMENT CHARACTER}\n"
    repository.write("a.py", "word\n" * 400_000)
    assert TREE.text(repository.root, "a.py") == "word\n" * (1024 * 1024 // 5) + "[...]"


def test_a_file_that_was_moved_here_was_touched_now(repository: Repository) -> None:
    old = repository.write("b.py", "one\n")
    os.utime(old, (0, 0))
    assert touched_in_this_test(repository, "b.py")


@cases
def test_what_is_no_text_has_none_and_was_touched_with_its_folder(repository: Repository, path: str) -> None:
    (repository.root / "link.py").symlink_to("/etc/hosts")
    (repository.root / "folder").mkdir()
    os.mkfifo(repository.root / "pipe")
    repository.write("picture.png", b"\x89PNG\0")
    assert (TREE.text(repository.root, path), touched_in_this_test(repository, path)) == ("", True)


def test_a_working_tree_beside_the_first_one_has_a_beginning(repository: Repository, tmp_path: Path) -> None:
    assert TREE.made(repository.root) == datetime.fromtimestamp(0, UTC)
    worktree = repository.worktree(tmp_path / "worktree")
    assert in_this_test(repository, TREE.made(worktree))
