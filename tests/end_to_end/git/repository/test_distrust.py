import os
import sys
from pathlib import Path

import pytest

from lamella.domain.errors import PathOutsideProjectError
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.branch_files import BranchFiles
from lamella_adapters.git.changes.untracked import additions
from lamella_adapters.git.repository.head import checked_out, default_branch, reflog, tip
from lamella_adapters.git.repository.locate import content
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.git.uncommitted_changes import TREE, diff, uncommitted
from tests.unit.support.tables import cases


def test_what_took_a_files_place_after_git_listed_it_is_not_read(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password\n")
    (repository.root / "link").symlink_to(tmp_path)
    os.mkfifo(repository.root / "pipe")
    (repository.root / "folder").mkdir()
    root = str(repository.root)
    assert [additions(root, each) for each in ("link/secret", "pipe", "folder", "gone")] == [None] * 4


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


def test_a_path_outside_is_refused_before_anything_is_read(repository: Repository) -> None:
    with pytest.raises(PathOutsideProjectError):
        TREE.changes(repository.root, ["a.py", "../x"])


def test_a_default_branch_that_is_an_option_is_none(repository: Repository) -> None:
    git = repository.root / ".git"
    repository.git("switch", "--quiet", "--create", "feature")
    (git / "refs/remotes/origin").mkdir(parents=True)
    (git / "refs/remotes/origin/HEAD").write_text("ref: --output=made\n")
    assert default_branch(str(git)) == ("refs/heads/main", "main")
    assert BranchFiles(str(repository.root)).get() == frozenset()
    assert not (repository.root / "made..HEAD").exists()


def test_a_folder_in_place_of_a_file_is_empty_and_closed_again(tmp_path: Path) -> None:
    def next_descriptor() -> int:
        descriptor = os.dup(0)
        os.close(descriptor)
        return descriptor

    before = next_descriptor()
    assert content(str(tmp_path)) == ""
    assert next_descriptor() == before


def test_what_would_block_or_never_end_is_not_read(repository: Repository) -> None:
    git = repository.root / ".git"
    commit = checked_out(str(repository.root))[1]
    os.mkfifo(git / "refs/heads/pipe")
    (git / "refs/heads/endless").symlink_to("/dev/zero")
    assert [tip(str(git), name) for name in ("pipe", "endless")] == [None, None]
    (git / "commondir").symlink_to("/dev/zero")
    os.mkfifo(git / "logs/pipe")
    assert reflog(str(git / "logs/pipe")) == []
    assert checked_out(str(repository.root)) == ("main", commit)


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
