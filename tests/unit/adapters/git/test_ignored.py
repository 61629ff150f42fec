from pathlib import Path

import pytest

from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.adapters.git.uncommitted_changes import TREE


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository.made(tmp_path / "shop")
    made.write(".gitignore", "build/\n*.log\n!keep.log\n")
    made.write("tracked.log", "1\n")
    made.git("add", "--force", ".gitignore", "tracked.log")
    made.git("commit", "--quiet", "--message", "one")
    return made


def test_what_git_ignores_is_told(repository: Repository) -> None:
    names = ["a.py", "build/a.py", "b.log", "keep.log", "tracked.log", "src/c.log", "gone/d.py"]
    assert TREE.ignored(repository.root, names) == {"build/a.py", "b.log", "src/c.log"}


@pytest.mark.parametrize("name", ['we"ird\n.log', ":(top)x.log", "-z.log", "ü.log", "a\tb.log", " .log"])
def test_hostile_names_are_ignored_as_others(repository: Repository, name: str) -> None:
    assert TREE.ignored(repository.root, [name, name.replace(".log", ".py")]) == {name}


def test_what_git_refuses_to_answer_for_counts_as_ignored(repository: Repository) -> None:
    assert TREE.ignored(repository.root, ["a.py", "../x.py", "b.py"]) == {"../x.py"}


def test_what_git_cannot_be_asked_of_counts_as_ignored(repository: Repository) -> None:
    assert GitWorkingTree(program="/nonexistent/git").ignored(repository.root, ["a.py"]) == {"a.py"}


def test_without_a_repository_nothing_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.py\n")
    assert TREE.ignored(tmp_path, ["a.py"]) == frozenset()


def test_no_paths_are_no_question(repository: Repository) -> None:
    assert TREE.ignored(repository.root, []) == frozenset()
