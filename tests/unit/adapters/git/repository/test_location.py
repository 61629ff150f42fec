import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lamella.domain.projects.project import Location
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository

TREE = GitWorkingTree(program="/nonexistent/git")


@pytest.mark.parametrize(
    "content", [b"", b"gitdir: /nonexistent/.git/worktrees/x\n", b"nonsense", b"gitdir: \0\n", b"gitdir: "]
)
def test_a_pointer_to_nowhere_marks_a_project_apart_from_the_repository_around_it(
    repository: Repository, content: bytes
) -> None:
    repository.write("old/.git", content)
    (repository.root / "old" / "src").mkdir()
    folder = repository.root / "old"
    assert TREE.locate(folder / "src") == Location(key=f"dir:{folder}", name="old", root=folder)


@pytest.mark.parametrize("damage", ["commondir", "HEAD"])
def test_a_worktree_whose_record_is_damaged_is_a_folder(
    repository: Repository, tmp_path: Path, damage: str
) -> None:
    worktree = repository.worktree(tmp_path / "hotfix")
    record = repository.root / ".git" / "worktrees" / "hotfix" / damage
    record.unlink()
    record.symlink_to(record)
    if damage == "HEAD":
        record.unlink()
    assert TREE.locate(worktree) == Location(key=f"dir:{worktree}", name="hotfix", root=worktree)


LOCATE_AS_NOBODY = """
import os, sys
from pathlib import Path
from lamella_adapters.git.working_tree import GitWorkingTree
root = Path(sys.argv[1])
before = GitWorkingTree().locate(root)
(root / ".git").chmod(0)
# Root may read everything.
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(os.access(root / ".git", os.R_OK | os.X_OK), GitWorkingTree().locate(root) == before, before.key)
"""


def test_a_git_directory_that_may_not_be_read_still_marks_its_repository() -> None:
    # Not in pytest's own folder, which only its owner can reach.
    with TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        root = Repository.made(Path(outer) / "shop").root
        try:
            done = subprocess.run(
                [sys.executable, "-c", LOCATE_AS_NOBODY, root], capture_output=True, text=True, check=False
            )
        finally:
            (root / ".git").chmod(0o700)
    assert (done.stderr, done.stdout) == ("", f"False True git:{root}/.git\n")


def test_a_deleted_working_directory_is_no_obstacle(repository: Repository) -> None:
    script = (
        "import os; from pathlib import Path; from lamella_adapters.git.working_tree import GitWorkingTree;"
        "os.mkdir('gone'); os.chdir('gone'); os.rmdir(os.getcwd());"
        "print(GitWorkingTree().locate(Path('.')).name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=repository.root, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    if sys.platform == "linux":
        assert done.stdout == "shop\n"


def test_a_directory_that_cannot_exist_or_is_the_root_of_the_machine_is_no_obstacle(tmp_path: Path) -> None:
    circle = tmp_path.resolve() / "circle"
    circle.symlink_to(circle)
    for folder, name in ((Path("/"), "/"), (Path("/a\0b"), "a\0b"), (circle, "circle")):
        assert TREE.locate(folder) == Location(key=f"dir:{folder}", name=name, root=folder)


def test_a_name_that_is_not_text_is_shown_with_replacements(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system holds text only")
    assert TREE.locate(folder) == Location(key=f"dir:{folder}", name="caf\ufffd", root=folder)


def test_the_common_directory_is_the_one_that_git_names(repository: Repository, tmp_path: Path) -> None:
    above = Repository.made(tmp_path / "above")
    above.git("submodule", "--quiet", "add", str(repository.root), "core")
    bare = Repository.made(tmp_path / "bare.git", "--bare")
    places = [
        repository.root,
        repository.worktree(tmp_path / "hotfix"),
        Repository(above.root / "core").worktree(tmp_path / "of-submodule"),
        above.root / "core",
        bare.root,
        repository.root / ".git" / "refs",
    ]
    named = [Repository(each).git("rev-parse", "--git-common-dir") for each in places]
    expected = [f"git:{(each / name).resolve()}" for each, name in zip(places, named, strict=True)]
    assert [TREE.locate(each).key for each in places] == expected
