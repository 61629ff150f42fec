import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.observation import CodeChange
from lamella_adapters.git.working_tree import GitWorkingTree

from .git_repository import Repository

TREE = GitWorkingTree()
LONG = "".join(f"line number {number}\n" for number in range(20))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository.made(tmp_path / "repository")
    made.commit(a=LONG, b="one\ntwo\n", c="gone\n")
    return made


def test_tracked_files_that_differ_are_told(repository: Repository) -> None:
    assert TREE.uncommitted(repository.root) == ()
    repository.write("a.py", LONG.replace("line number 3\n", "line number three\n"))
    repository.write("new.py", "not tracked\n")
    (repository.root / "c.py").unlink()
    found = TREE.uncommitted(repository.root)
    assert found == (
        CodeChange(
            path="a.py",
            additions=1,
            deletions=1,
            hunks=(
                "@@ -1,7 +1,7 @@\n line number 0\n line number 1\n line number 2\n"
                "-line number 3\n+line number three\n line number 4\n line number 5\n line number 6"
            ),
        ),
        CodeChange(path="c.py", additions=0, deletions=1, hunks="@@ -1 +0,0 @@\n-gone"),
    )


def test_what_is_staged_and_what_was_renamed_is_told(repository: Repository) -> None:
    repository.git("mv", "a.py", "moved name.py")
    repository.write("b.py", "one\n2\n")
    repository.write("new.py", "new\n")
    repository.git("add", "b.py", "new.py")
    found = TREE.uncommitted(repository.root)
    assert found is not None
    assert [(each.path, each.former, each.additions, each.deletions) for each in found] == [
        ("b.py", None, 1, 1),
        ("moved name.py", "a.py", 0, 0),
        ("new.py", None, 1, 0),
    ]


def test_a_file_that_was_moved_without_telling_git_is_renamed(repository: Repository) -> None:
    (repository.root / "folder").mkdir()
    (repository.root / "a.py").rename(repository.root / "folder/b.py")
    repository.write("other.py", "something else\n")
    repository.write("picture.png", b"\x89PNG\0\1")
    (repository.root / "link").symlink_to("b.py")
    moved = CodeChange(path="folder/b.py", former="a.py", additions=0, deletions=0)
    assert TREE.uncommitted(repository.root) == (moved,)
    repository.write("folder/b.py", LONG.replace("line number 3\n", "") + "more\n")
    (changed,) = TREE.uncommitted(repository.root) or ()
    assert (changed.former, changed.additions, changed.deletions) == ("a.py", 1, 1)
    assert changed.hunks == (
        "@@ -1,7 +1,6 @@\n line number 0\n line number 1\n line number 2\n-line number 3\n line number 4\n"
        " line number 5\n line number 6\n"
        "@@ -18,3 +17,4 @@\n line number 17\n line number 18\n line number 19\n+more"
    )


def test_what_is_gone_and_nowhere_else_was_deleted(repository: Repository) -> None:
    (repository.root / "a.py").unlink()
    (repository.root / "c.py").unlink()
    repository.write("empty.py", "")
    repository.write("other.py", LONG[: len(LONG) // 3])
    assert [(each.path, each.former) for each in TREE.uncommitted(repository.root) or ()] == [
        ("a.py", None),
        ("c.py", None),
    ]
    for number in range(100):
        repository.write(f"many/{number}.py", LONG)
    assert [each.former for each in TREE.uncommitted(repository.root) or ()] == [None, None]


def test_a_long_file_that_was_moved_is_renamed_whatever_else_changed(repository: Repository) -> None:
    repository.commit(long=LONG * 300)
    (repository.root / "long.py").unlink()
    repository.write("moved.py", LONG * 300 + "more\n")
    moved = CodeChange(path="moved.py", former="long.py", additions=0, deletions=0)
    assert TREE.uncommitted(repository.root) == (moved,)


def test_hunks_and_files_are_bounded(repository: Repository) -> None:
    for number in range(120):
        repository.write(f"many/{number:03}.py", "before\n")
    repository.commit()
    for number in range(120):
        repository.write(f"many/{number:03}.py", "after\n" * 2_000)
    found = TREE.uncommitted(repository.root)
    assert found is not None
    assert (len(found), sum(len(each.hunks) for each in found) <= 1_000_000) == (100, True)


def test_a_difference_without_end_is_read_up_to_a_point(repository: Repository) -> None:
    names = [f"b{number}" for number in range(8)]
    repository.commit(**dict.fromkeys(names, "word\n"))
    for name in names:
        repository.write(f"{name}.py", "other\n" * 150_000)
    found = TREE.uncommitted(repository.root)
    assert [each.path for each in found or ()] == ["b0.py", "b1.py", "b2.py"]


def test_without_an_answer_nothing_is_known(repository: Repository, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 60\n", encoding="utf-8")
    slow.chmod(0o700)
    assert GitWorkingTree(program=str(slow), patience=0.1).uncommitted(repository.root) is None
    assert GitWorkingTree(program="/no/such/program").uncommitted(repository.root) is None
    assert TREE.uncommitted(Repository.made(tmp_path / "empty").root) is None
    assert TREE.uncommitted(tmp_path) == ()


def test_the_repository_of_a_folder_is_known_also_where_the_folder_is_gone(repository: Repository) -> None:
    assert TREE.repository(repository.root / "src" / "gone") == repository.root
    assert TREE.repository(repository.root.parent) is None
    worktree = repository.worktree(repository.root.parent / "worktree")
    assert TREE.repository(worktree / "src") == worktree


def just_now(repository: Repository, path: str) -> bool:
    return abs(datetime.now(UTC) - TREE.touched(repository.root, path)) < timedelta(seconds=10)


def test_a_file_is_read_as_it_stands(repository: Repository) -> None:
    repository.write("a.py", b"caf\xff\n")
    assert TREE.text(repository.root, "a.py") == "caf\N{REPLACEMENT CHARACTER}\n"
    repository.write("a.py", "word\n" * 400_000)
    assert len(TREE.text(repository.root, "a.py")) == 1024 * 1024


def test_a_file_that_was_moved_here_was_touched_now(repository: Repository) -> None:
    old = repository.write("b.py", "one\n")
    os.utime(old, (0, 0))
    assert just_now(repository, "b.py")


@pytest.mark.parametrize(
    "path", ["gone.py", "gone/deeper/a.py", "link.py", "folder", "folder/", "a\0b", "pipe", "picture.png"]
)
def test_what_is_no_text_has_none_and_was_touched_with_its_folder(repository: Repository, path: str) -> None:
    (repository.root / "link.py").symlink_to("/etc/hosts")
    (repository.root / "folder").mkdir()
    os.mkfifo(repository.root / "pipe")
    repository.write("picture.png", b"\x89PNG\0")
    assert (TREE.text(repository.root, path), just_now(repository, path)) == ("", True)


def test_a_working_tree_beside_the_first_one_has_a_beginning(repository: Repository, tmp_path: Path) -> None:
    assert TREE.made(repository.root) == datetime.fromtimestamp(0, UTC)
    worktree = repository.worktree(tmp_path / "worktree")
    assert abs(datetime.now(UTC) - TREE.made(worktree)) < timedelta(seconds=10)
