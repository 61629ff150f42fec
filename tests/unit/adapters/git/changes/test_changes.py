from pathlib import Path

import pytest

from lamella.domain.memories.observation import CodeChange
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.adapters.git.uncommitted_changes import TREE, diff


def test_a_changed_file_is_compared_with_head_staged_and_unstaged_together(repository: Repository) -> None:
    repository.write("a.py", "1\nzwei\n3\n")
    repository.git("add", "a.py")
    repository.write("a.py", "1\nzwei\n3\n4\n")
    assert TREE.changes(repository.root, ["a.py"]) == (diff("a.py", "@@ -1,3 +1,4 @@\n 1\n-2\n+zwei\n 3\n+4"),)


def test_a_clean_file_shows_what_the_commit_of_head_did_to_it(repository: Repository) -> None:
    assert TREE.changes(repository.root, ["b.py"]) == (diff("b.py", "@@ -0,0 +1 @@\n+one"),)


def test_a_clean_file_that_head_did_not_touch_has_not_changed(repository: Repository) -> None:
    assert TREE.changes(repository.root, ["a.py"]) == (diff("a.py"),)


@pytest.mark.parametrize("hash", ["sha1", "sha256"])
def test_in_the_first_commit_everything_is_added(tmp_path: Path, hash: str) -> None:
    repository = Repository.made(tmp_path / "new", f"--object-format={hash}")
    repository.commit(a="1\n")
    assert TREE.changes(repository.root, ["a.py"]) == (diff("a.py", "@@ -0,0 +1 @@\n+1"),)


def test_a_merge_is_compared_with_its_first_parent(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    repository.commit(c="side\n")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert TREE.changes(repository.root, ["b.py", "c.py"]) == (
        diff("b.py"),
        diff("c.py", "@@ -0,0 +1 @@\n+side"),
    )


def test_where_the_parent_was_not_fetched_a_clean_file_has_no_counts(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.root}", str(tmp_path / "shallow"))
    shallow = Repository((tmp_path / "shallow").resolve())
    shallow.write("a.py", "1\n2\n")
    assert TREE.changes(shallow.root, ["a.py", "b.py"]) == (
        diff("a.py", "@@ -1,3 +1,2 @@\n 1\n 2\n-3"),
        CodeChange(path="b.py"),
    )


def test_an_untracked_file_is_all_additions(repository: Repository) -> None:
    repository.write("new/c.py", "x\n\ny")
    repository.write("new/empty", "")
    assert TREE.changes(repository.root, ["new/c.py", "new/empty"]) == (
        diff("new/c.py", "@@ -0,0 +1,3 @@\n+x\n+\n+y\n\\ No newline at end of file"),
        diff("new/empty"),
    )


def test_an_untracked_file_looks_as_git_would_show_it_once_added(repository: Repository) -> None:
    for number, content in enumerate([b"1\n", b"1", b"1\n2\r\n", b"\n", b"\xff\n", b"a\0b", b""]):
        repository.write(f"new{number}", content)
    paths = [f"new{number}" for number in range(7)]
    before = TREE.changes(repository.root, paths)
    repository.git("add", ".")
    assert TREE.changes(repository.root, paths) == before


def test_before_the_first_commit_every_file_is_all_additions(unborn: Repository) -> None:
    unborn.write("staged", "1\n")
    unborn.write("gone", "1\n")
    unborn.git("add", ".")
    (unborn.root / "gone").unlink()
    unborn.write("HEAD", "2\n")
    assert TREE.changes(unborn.root, ["staged", "gone", "HEAD"]) == (
        diff("staged", "@@ -0,0 +1 @@\n+1"),
        CodeChange(path="gone"),
        diff("HEAD", "@@ -0,0 +1 @@\n+2"),
    )


def test_a_deleted_file_is_all_deletions_however_it_went(repository: Repository) -> None:
    (repository.root / "a.py").unlink()
    repository.git("rm", "--quiet", "b.py")
    assert TREE.changes(repository.root, ["a.py", "b.py"]) == (
        diff("a.py", "@@ -1,3 +0,0 @@\n-1\n-2\n-3"),
        diff("b.py", "@@ -1 +0,0 @@\n-one"),
    )
    repository.commit()
    assert TREE.changes(repository.root, ["b.py"])[0].deletions == 1


def test_a_renamed_file_is_gone_from_one_path_and_new_at_the_other(repository: Repository) -> None:
    repository.git("config", "diff.renames", "copies")
    repository.git("mv", "a.py", "z.py")
    assert [
        (each.path, each.additions, each.deletions) for each in TREE.changes(repository.root, ["a.py", "z.py"])
    ] == [("a.py", 0, 3), ("z.py", 3, 0)]


def test_a_file_that_is_not_there_has_no_counts(repository: Repository) -> None:
    assert TREE.changes(repository.root, ["soon.py", "not/yet.py"]) == (
        CodeChange(path="soon.py"),
        CodeChange(path="not/yet.py"),
    )


def test_an_ignored_file_is_not_read_not_even_from_history(repository: Repository) -> None:
    repository.write(".env", "PASSWORD=1\n")
    repository.write("build/out", "x\n")
    repository.commit()
    repository.git("rm", "--quiet", "-r", "--cached", ".env", "build")
    repository.write(".gitignore", ".env\nbuild/\n")
    expected = (CodeChange(path=".env"), CodeChange(path="build/out"))
    assert TREE.changes(repository.root, [".env", "build/out"]) == expected
    repository.commit()
    assert TREE.changes(repository.root, [".env", "build/out"]) == expected


def test_a_folder_has_no_counts_whether_it_is_there_or_not(repository: Repository) -> None:
    repository.write("src/x", "1\n")
    repository.write("old/x", "1\n")
    repository.commit()
    repository.git("rm", "--quiet", "-r", "old")
    repository.write("src/x", "2\n")
    expected = (CodeChange(path="."), CodeChange(path="src"), CodeChange(path="old"))
    assert TREE.changes(repository.root, [".", "src/", "old"]) == expected


def test_what_was_in_a_deleted_folder_takes_no_room_from_files(repository: Repository) -> None:
    for number in range(10):
        repository.write(f"old/{number}", "word\n" * 1_000)
    repository.commit()
    repository.git("rm", "--quiet", "-r", "old")
    repository.write("new", "1234567\n" * 350)
    assert [len(each.hunks) for each in TREE.changes(repository.root, ["old", "new"])] == [0, 3_167]


def test_a_binary_file_has_no_counts(repository: Repository) -> None:
    repository.write("tracked", b"a\0b")
    repository.commit()
    repository.write("tracked", b"a\0c")
    repository.write("untracked", b"a\0b")
    expected = (CodeChange(path="tracked"), CodeChange(path="untracked"))
    assert TREE.changes(repository.root, ["tracked", "untracked"]) == expected


def test_a_new_mode_is_a_change_without_lines(repository: Repository) -> None:
    (repository.root / "b.py").chmod(0o755)
    assert TREE.changes(repository.root, ["b.py"]) == (diff("b.py"),)


def test_a_file_that_became_a_link_shows_both(repository: Repository) -> None:
    (repository.root / "b.py").unlink()
    (repository.root / "b.py").symlink_to("a.py")
    assert TREE.changes(repository.root, ["b.py"]) == (
        diff("b.py", "@@ -1 +0,0 @@\n-one\n@@ -0,0 +1 @@\n+a.py\n\\ No newline at end of file"),
    )


def test_a_conflict_is_shown_as_it_stands_in_the_file(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit(b="side\n")
    repository.git("checkout", "--quiet", "main")
    repository.commit(b="main\n")
    with pytest.raises(Exception, match="merge"):
        repository.git("merge", "--quiet", "side")
    assert TREE.changes(repository.root, ["b.py"]) == (
        diff("b.py", "@@ -1 +1,5 @@\n+<<<<<<< HEAD\n main\n+=======\n+side\n+>>>>>>> side"),
    )


def test_paths_keep_their_order_and_repeats_count_once(repository: Repository) -> None:
    given = ["b.py", f"{repository.root}/a.py", "./b.py", "a.py", "x/../b.py"]
    assert [each.path for each in TREE.changes(repository.root, given)] == ["b.py", "a.py"]


def test_no_paths_are_no_changes(repository: Repository) -> None:
    assert TREE.changes(repository.root, []) == ()


def test_in_a_worktree_its_own_files_count(repository: Repository, tmp_path: Path) -> None:
    worktree = repository.worktree(tmp_path / "hotfix")
    (worktree / "b.py").write_text("two\n")
    assert TREE.changes(worktree, ["b.py"]) == (diff("b.py", "@@ -1 +1 @@\n-one\n+two"),)


def test_a_root_below_the_top_of_a_repository_has_paths_of_its_own(repository: Repository) -> None:
    repository.write("src/b.py", "1\n")
    repository.commit()
    repository.write("src/b.py", "2\n")
    assert TREE.changes(repository.root / "src", ["b.py"]) == (diff("b.py", "@@ -1 +1 @@\n-1\n+2"),)


def test_missing_is_what_is_neither_there_nor_in_head(repository: Repository) -> None:
    repository.write("new.py", "1\n")
    repository.write("folder/c.py", "1\n")
    (repository.root / "a.py").unlink()
    (repository.root / "link.py").symlink_to("nowhere")
    paths = ["a.py", "b.py", "new.py", "folder", "link.py", "nothing.py", "folder/nothing.py"]
    assert TREE.missing(repository.root, paths) == {"nothing.py", "folder/nothing.py"}


def test_without_git_the_working_tree_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert TREE.missing(tmp_path, ["a.py", "b.py"]) == {"b.py"}
