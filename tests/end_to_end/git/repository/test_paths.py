import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.errors import PathOutsideProjectError
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.support.tables import cases

TREE = GitWorkingTree()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with an unrelated folder beside it."""
    project = tmp_path.resolve() / "project"
    (project / "src" / "deep").mkdir(parents=True)
    (project / "src" / "a.py").touch()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").touch()
    (tmp_path / "project-2").mkdir()
    return project


@cases
def test_a_path_is_relative_to_the_root(root: Path, given: str, expected: str) -> None:
    assert TREE.relative(root, given) == expected


@pytest.mark.parametrize("inside", ["", "/", "/src/a.py", "/not/there"])
def test_an_absolute_path_within_the_root_becomes_relative(root: Path, inside: str) -> None:
    assert TREE.relative(root, f"{root}{inside}") == (inside.strip("/") or ".")


def test_a_linked_way_to_the_root_is_a_way_to_the_root(root: Path) -> None:
    way = root.parent / "way"
    way.symlink_to(root)
    given = [(way, "src/a.py"), (way, f"{root}/src/a.py"), (root, f"{way}/src/a.py"), (root, f"{way}"), (way, ".")]
    assert [TREE.relative(*each) for each in given] == ["src/a.py", "src/a.py", "src/a.py", ".", "."]


@cases
def test_a_link_is_a_file_of_the_project_or_a_way_to_one(
    root: Path, link: str, target: str, given: list[str], expected: list[str]
) -> None:
    (root / link).symlink_to(target.format(parent=root.parent))
    assert [TREE.relative(root, each) for each in given] == expected


@cases
def test_a_path_that_leads_outside_or_nowhere_is_refused(root: Path, given: str) -> None:
    (root / "way-out").symlink_to(root.parent / "outside")
    path = given.format(parent=root.parent)
    with pytest.raises(PathOutsideProjectError) as caught:
        TREE.relative(root, path)
    assert caught.value.path == path


def test_the_root_of_the_machine_is_a_root_too() -> None:
    assert TREE.relative(Path("/"), "/nonexistent/x") == "nonexistent/x"


@given(st.lists(st.sampled_from(["..", ".", "", "src", "way-out", "way-in", "a", "x"]), max_size=6))
def test_no_combination_of_steps_leads_outside(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    root = tmp_path_factory.getbasetemp().resolve() / "steps" / "project"
    if not root.exists():
        (root / "src").mkdir(parents=True)
        (root / "way-out").symlink_to("../..")
        (root / "src" / "way-in").symlink_to("..")
    try:
        found = TREE.relative(root, "/".join(steps))
    except PathOutsideProjectError:
        return
    assert found == "." or (
        (root / found).parent.resolve().is_relative_to(root) and not re.search(r"(^|/)\.?\.?(/|$)", found)
    )
