"""What is known of a repository where git is missing."""

from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.git.uncommitted_changes import TREE

NONE = GitWorkingTree(program="/nonexistent/git")


def test_without_git_little_is_known_and_everything_may_be_ignored(repository: Repository) -> None:
    root, changes = (
        repository.root,
        [CodeChange(path="a.py", version=TREE.versions(repository.root, ["a.py"])["a.py"])],
    )
    repository.git("remote", "add", "origin", "https://example.org/org/shop.git")
    assert NONE.ignored(root, ["a.py"]) == {"a.py"}
    assert (NONE.files(root, ".py"), NONE.past(root, "."), NONE.repository_alias(NONE.locate(root))) == (
        (),
        None,
        None,
    )
    assert GitHistory(program="/nonexistent/git").committed(root) is None
    (root / "a.py").unlink()
    assert NONE.freshness(root, changes) == (FileState(Freshness.GONE),)


def test_a_name_of_two_lines_is_ignored_as_others(repository: Repository) -> None:
    repository.write(".gitignore", "*.log\n")
    assert TREE.ignored(repository.root, ['we"ird\n.log', "a\tb.log", "a\n.py"]) == {'we"ird\n.log', "a\tb.log"}
