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


def test_a_folder_without_a_repository_is_its_real_path(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "notes"
    folder.mkdir()
    assert TREE.locate(folder) == Location(key=f"dir:{folder}", name="notes", root=folder)


def test_a_repository_is_its_common_directory_and_is_named_after_its_folder(repository: Repository) -> None:
    root = repository.root
    assert TREE.locate(root) == Location(key=f"git:{root}/.git", name="shop", root=root)


def test_every_folder_of_a_repository_is_one_project(repository: Repository) -> None:
    inner = repository.root / "src" / "deep"
    inner.mkdir(parents=True)
    assert TREE.locate(inner) == TREE.locate(repository.root)


def test_a_folder_that_is_not_there_any_more_belongs_where_it_was(repository: Repository) -> None:
    assert TREE.locate(repository.root / "gone" / "deep") == TREE.locate(repository.root)


def test_a_worktree_is_the_same_project_with_a_root_of_its_own(repository: Repository, tmp_path: Path) -> None:
    worktree = repository.worktree(tmp_path / "hotfix")
    (worktree / "src").mkdir()
    assert TREE.locate(worktree / "src") == Location(key=f"git:{repository.root}/.git", name="shop", root=worktree)


def test_a_repository_within_a_repository_is_a_project_of_its_own(repository: Repository) -> None:
    inner = Repository.made(repository.root / "vendor" / "lib")
    assert TREE.locate(inner.root) == Location(key=f"git:{inner.root}/.git", name="lib", root=inner.root)


def test_a_bare_repository_is_named_without_its_ending(tmp_path: Path) -> None:
    bare = Repository.made(tmp_path / "shop.git", "--bare").root
    assert TREE.locate(bare) == Location(key=f"git:{bare}", name="shop", root=bare)
    assert TREE.locate(bare / "hooks") == TREE.locate(bare)


def test_worktrees_of_a_bare_repository_are_one_project_with_it(tmp_path: Path) -> None:
    source = Repository.made(tmp_path / "source")
    source.commit(a="1\n")
    source.git("clone", "--quiet", "--bare", str(source.root), str(tmp_path / "shop.git"))
    bare = Repository((tmp_path / "shop.git").resolve())
    worktree = bare.worktree(tmp_path / "main")
    assert TREE.locate(worktree) == Location(key=f"git:{bare.root}", name="shop", root=worktree)
    assert TREE.locate(worktree).project_id == TREE.locate(bare.root).project_id


def test_a_hidden_bare_repository_with_worktrees_around_it_has_the_name_of_the_folder(tmp_path: Path) -> None:
    bare = Repository.made(tmp_path / "shop" / ".bare", "--bare").root
    (tmp_path / "shop" / ".git").write_text("gitdir: ./.bare\n")
    assert TREE.locate(tmp_path / "shop") == Location(key=f"git:{bare}", name="shop", root=bare.parent)


def test_the_inside_of_a_git_directory_belongs_to_its_repository(repository: Repository) -> None:
    assert TREE.locate(repository.root / ".git" / "hooks") == TREE.locate(repository.root)
    assert TREE.locate(repository.root / ".git") == TREE.locate(repository.root)


def test_a_separate_git_directory_gives_all_its_worktrees_one_name(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    repository = Repository.made(tmp_path / "desk", "--separate-git-dir", str(tmp_path / "store" / "shop.git"))
    repository.commit(a="1\n")
    worktree = repository.worktree(tmp_path / "hotfix")
    key = f"git:{tmp_path.resolve()}/store/shop.git"
    assert [TREE.locate(each) for each in (repository.root, worktree)] == [
        Location(key=key, name="shop", root=repository.root),
        Location(key=key, name="shop", root=worktree),
    ]


def test_a_submodule_that_was_moved_keeps_its_key_and_has_its_new_name_in_every_worktree(
    repository: Repository, tmp_path: Path
) -> None:
    above = Repository.made(tmp_path / "above")
    above.git("submodule", "--quiet", "add", str(repository.root), "core")
    above.git("mv", "core", "kernel")
    moved = Repository(above.root / "kernel")
    worktree = moved.worktree(tmp_path / "elsewhere")
    key = f"git:{above.root}/.git/modules/core"
    assert [TREE.locate(each) for each in (moved.root, worktree)] == [
        Location(key=key, name="kernel", root=moved.root),
        Location(key=key, name="kernel", root=worktree),
    ]


def test_a_submodule_with_a_name_that_git_quotes_has_that_name(repository: Repository, tmp_path: Path) -> None:
    above = Repository.made(tmp_path / "above")
    above.git("submodule", "--quiet", "add", str(repository.root), "core")
    above.git("mv", "core", "core #2")
    assert TREE.locate(above.root / "core #2").name == "core #2"


def test_two_ways_into_one_folder_are_one_project(repository: Repository, tmp_path: Path) -> None:
    (repository.root / "src").mkdir()
    (tmp_path / "way").symlink_to(repository.root / "src")
    assert TREE.locate(tmp_path / "way") == TREE.locate(repository.root)


def test_two_ways_to_one_git_directory_are_one_project(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "view").mkdir()
    (tmp_path / "view" / ".git").symlink_to(repository.root / ".git")
    assert TREE.locate(tmp_path / "view") == Location(
        key=f"git:{repository.root}/.git", name="shop", root=tmp_path.resolve() / "view"
    )


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


def test_an_empty_git_directory_is_passed_over_as_git_does(repository: Repository) -> None:
    (repository.root / "src" / ".git").mkdir(parents=True)
    assert TREE.locate(repository.root / "src") == TREE.locate(repository.root)


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


def test_a_folder_may_be_called_as_if_it_were_deleted(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "shop (deleted)"
    link = tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    assert TREE.locate(link) == Location(key=f"dir:{folder}", name="shop (deleted)", root=folder)


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
