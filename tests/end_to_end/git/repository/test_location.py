import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lamella.domain.projects.project import Location
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository

TREE = GitWorkingTree(program="/nonexistent/git")


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
