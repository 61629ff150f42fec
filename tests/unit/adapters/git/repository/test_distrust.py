import os
import sys
from pathlib import Path

import pytest

from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.untracked import additions
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.adapters.git.uncommitted_changes import TREE, diff, uncommitted
from tests.unit.support.tables import cases


def test_no_link_is_followed_to_read_what_it_points_to(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password\n")
    for name in ("tracked", "untracked"):
        (repository.root / name).symlink_to("../secret")
    repository.git("add", "tracked")
    link = "@@ -0,0 +1 @@\n+../secret\n\\ No newline at end of file"
    assert TREE.changes(repository.root, ["tracked", "untracked"]) == (
        diff("tracked", link),
        diff("untracked", link),
    )


def test_a_pipe_is_not_waited_for(repository: Repository) -> None:
    os.mkfifo(repository.root / "pipe")
    assert TREE.changes(repository.root, ["pipe"]) == (CodeChange(path="pipe"),)


def test_what_took_a_files_place_after_git_listed_it_is_not_read(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password\n")
    (repository.root / "link").symlink_to(tmp_path)
    os.mkfifo(repository.root / "pipe")
    (repository.root / "folder").mkdir()
    root = str(repository.root)
    assert [additions(root, each) for each in ("link/secret", "pipe", "folder", "gone")] == [None] * 4


def test_a_file_of_a_repository_within_has_no_counts_and_spoils_no_others(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("clone", "--quiet", ".", str(tmp_path / "other"))
    repository.git("submodule", "--quiet", "add", str(tmp_path / "other"), "core")
    Repository.made(repository.root / "nested").write("x", "1\n")
    (repository.root / "circle").symlink_to("circle")
    paths = ["core/a.py", "core", "nested/x", "circle/x", "b.py"]
    assert TREE.changes(repository.root, paths) == (
        *(CodeChange(path=path) for path in paths[:-1]),
        diff("b.py", "@@ -0,0 +1 @@\n+one"),
    )


@cases
def test_a_file_name_is_taken_literally(repository: Repository, name: str) -> None:
    try:
        repository.write(name, "1\n")
    except OSError:
        pytest.skip("this file system holds text only")
    repository.write("decoy", "1\n")
    expected = (diff(name, "@@ -0,0 +1 @@\n+1"),)
    assert TREE.changes(repository.root, [name]) == expected
    repository.git("add", ".")
    assert TREE.changes(repository.root, [name]) == expected
    repository.commit()
    assert TREE.changes(repository.root, [name]) == expected


def test_lines_that_look_like_headers_are_lines(repository: Repository) -> None:
    repository.write("a.py", "-- x\n++ y\ndiff --git b.py b.py\n@@ -1 +1 @@\n1\t1\tb.py\n")
    repository.commit()
    repository.write("a.py", "1\t1\tb.py\n")
    assert TREE.changes(repository.root, ["a.py", "b.py"]) == (
        diff("a.py", "@@ -1,5 +1 @@\n--- x\n-++ y\n-diff --git b.py b.py\n-@@ -1 +1 @@\n 1\t1\tb.py"),
        diff("b.py"),
    )


def test_bytes_that_are_not_text_are_replaced(repository: Repository) -> None:
    repository.write("a.py", b"1\n2\n\xff\xfe\r\n")
    assert TREE.changes(repository.root, ["a.py"]) == (
        diff("a.py", "@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+\ufffd\ufffd\r"),
    )


def test_a_path_outside_is_refused_before_anything_is_read(repository: Repository) -> None:
    with pytest.raises(PathOutsideProjectError):
        TREE.changes(repository.root, ["a.py", "../x"])


def test_what_the_user_configured_for_looks_changes_nothing(repository: Repository) -> None:
    repository.write(".gitattributes", "*.py diff=odd\n")
    repository.write("a.py", "1\n2\n")
    for key, value in {
        "color.ui": "always",
        "core.pager": "false",
        "diff.context": "0",
        "diff.external": "false",
        "diff.mnemonicPrefix": "true",
        "diff.noprefix": "false",
        "diff.odd.command": "false",
        "diff.odd.textconv": "false",
        "diff.wordRegex": ".",
    }.items():
        repository.git("config", key, value)
    assert TREE.changes(repository.root, ["a.py"]) == (diff("a.py", "@@ -1,3 +1,2 @@\n 1\n 2\n-3"),)


def test_to_find_renames_nothing_is_written(repository: Repository) -> None:
    (repository.root / "a.py").rename(repository.root / "z.py")
    before = written(repository)
    assert [(each.path, each.former) for each in uncommitted(repository.root) or ()] == [("z.py", "a.py")]
    assert written(repository) == before


def written(repository: Repository) -> dict[Path, int]:
    """Return the time of each file in git's folder."""
    return {path: path.stat().st_mtime_ns for path in (repository.root / ".git").rglob("*")}


def test_asking_of_a_file_that_was_only_touched_leaves_the_index_as_it_was(repository: Repository) -> None:
    os.utime(repository.root / "a.py", (1, 1))
    before = (repository.root / ".git" / "index").stat()
    assert TREE.changes(repository.root, ["a.py"]) == (diff("a.py"),)
    after = (repository.root / ".git" / "index").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_without_a_working_tree_of_a_repository_paths_have_no_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1\n")
    bare = Repository.made(tmp_path / "shop.git", "--bare").root
    for root, path in ((tmp_path, "a.py"), (bare, "HEAD"), (tmp_path / "gone", "a.py")):
        assert TREE.changes(root, [path]) == (CodeChange(path=path),)


def test_in_a_damaged_repository_paths_have_no_counts(repository: Repository) -> None:
    (repository.root / ".git" / "index").write_bytes(b"damaged")
    assert TREE.changes(repository.root, ["a.py"]) == (CodeChange(path="a.py"),)


def test_a_commit_that_cannot_be_read_leaves_paths_without_counts(repository: Repository) -> None:
    head = repository.git("rev-parse", "HEAD")
    (repository.root / ".git" / "objects" / head[:2] / head[2:]).unlink()
    repository.write("new", "1\n")
    assert TREE.changes(repository.root, ["a.py", "new"]) == (
        CodeChange(path="a.py"),
        diff("new", "@@ -0,0 +1 @@\n+1"),
    )


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give files away")
def test_in_a_repository_of_another_owner_paths_have_no_counts(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    located = TREE.locate(repository.root)
    os.chown(repository.root, 12345, 12345)
    os.chown(repository.root / ".git", 12345, 12345)
    assert TREE.changes(repository.root, ["a.py"]) == (CodeChange(path="a.py"),)
    assert TREE.locate(repository.root) == located
