"""Versions of files tell whether they have changed since a memory about them was saved."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lamella.domain.memories.freshness import Freshness
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git import working_tree
from lamella_adapters.git.changes import file_version
from tests.end_to_end.git.git_repository import Repository

TREE = working_tree.GitWorkingTree()
HOUR = 3_600_000_000_000


def version(root: Path, path: str, *, unread: bool = False) -> str:
    """Return the version of a file that is there."""
    return TREE.versions(root, [path], unread=[path] if unread else [])[path]


def freshness(root: Path, path: str, version: str) -> Freshness | None:
    (found,) = TREE.freshness(root, [CodeChange(path=path, version=version)])
    return found and found.freshness


def touch(file: Path, hours: int) -> None:
    """Set the time of a file's last change forward."""
    now = file.stat().st_mtime_ns
    os.utime(file, ns=(now, now + hours * HOUR))


def test_a_version_has_the_hash_that_git_gives(repository: Repository) -> None:
    file = repository.write("a.py", "x = 1\n")
    said = version(repository.root, "a.py")
    assert said == f"6 {file.stat().st_mtime_ns} {repository.git('hash-object', 'a.py')}"


def test_a_file_is_as_it_was_whatever_its_time_if_its_content_is(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    saved = version(tmp_path, "a.py")
    assert freshness(tmp_path, "a.py", saved) is None
    touch(file, 1)
    assert freshness(tmp_path, "a.py", saved) is None
    file.write_text("x = 2\n")
    touch(file, 2)
    assert freshness(tmp_path, "a.py", saved) is Freshness.CHANGED
    file.write_text("x = 100\n")
    assert freshness(tmp_path, "a.py", saved) is Freshness.CHANGED
    file.unlink()
    assert freshness(tmp_path, "a.py", saved) is Freshness.GONE
    assert TREE.versions(tmp_path, ["a.py"]) == {}


@pytest.mark.parametrize("large", [False, True])
def test_what_must_not_be_read_or_is_large_goes_by_its_size_and_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, large: bool
) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\n")
    if large:
        monkeypatch.setattr(file_version, "_MOST_BYTES", 3)
    saved = version(tmp_path, ".env", unread=not large)
    assert saved == f"4 {file.stat().st_mtime_ns}"
    assert freshness(tmp_path, ".env", saved) is None
    touch(file, 1)
    assert freshness(tmp_path, ".env", saved) is Freshness.CHANGED


def test_no_path_is_followed_out_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.py").write_text("x = 1\n")
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n")
    saved = version(root, "src/a.py")
    (root / "src" / "a.py").unlink()
    (root / "src").rmdir()
    (root / "src").symlink_to(tmp_path / "outside")
    assert freshness(root, "src/a.py", saved) is Freshness.GONE
    for path in ("../outside/a.py", str(tmp_path / "outside" / "a.py")):
        assert freshness(root, path, saved) is None
        assert TREE.versions(root, [path, "src\0"]) == {}


def test_a_folder_a_link_and_nonsense_have_no_version(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "a.py").write_text("x = 1\n")
    assert TREE.versions(tmp_path, ["folder", "link", "none"]) == {}
    assert freshness(tmp_path, "folder", "4 1") is Freshness.GONE
    assert freshness(tmp_path, "a.py", "nonsense") is None


def test_a_commit_has_an_author_if_git_knows_it(repository: Repository) -> None:
    name = repository.git("log", "-1", "--format=%an").strip()
    assert TREE.author(repository.root, repository.git("rev-parse", "HEAD").strip()) == name != ""
    assert [TREE.author(repository.root, wrong) for wrong in ("0" * 40, "--output=made")] == ["", ""]
    assert not (repository.root / "made").exists()


def test_commits_that_changed_a_file_since_are_counted(repository: Repository, tmp_path: Path) -> None:
    since = datetime.now(UTC) - timedelta(days=1)
    before = int(repository.git("rev-list", "--count", "HEAD", "--", "a.py"))
    for number in range(2):
        repository.commit(a=f"x = {number}\n")
    repository.commit(b="y = 1\n")
    files = [("a.py", since), ("a.py", datetime.now(UTC) + timedelta(days=1)), ("b.py", since), ("none.py", since)]
    b = int(repository.git("rev-list", "--count", "HEAD", "--", "b.py"))
    assert TREE.commits_since(repository.root, files) == (before + 2, 0, b, 0)
    assert TREE.commits_since(repository.root, []) == ()
    (tmp_path / "plain").mkdir()
    assert TREE.commits_since(tmp_path / "plain", files[:1]) == (None,)
