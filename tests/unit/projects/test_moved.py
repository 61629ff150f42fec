"""Projects that were moved, and folders inside of others."""

from pathlib import Path
from typing import Any

import pytest

from lamella.application.projects.manage import MergeProjects
from lamella.application.projects.moved import moved_here
from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, UnknownProjectError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText, Recent
from lamella.domain.projects.identity import resettled, traces_of
from lamella.domain.projects.moved import MovedProject
from lamella.ports.hook_reads import HookReads
from tests.unit.support.doubles import NOTHING_SAVED, Desk, titles
from tests.unit.support.stand_ins import FolderTree

OLD, NEW, THIRD = (Path(each) for each in ("/old/shop", "/new/store", "/else/shop"))
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ROOT, REMOTE = f"root:{COMMIT}", "remote:example.org/shop"


def shop(tree: FolderTree | None = None) -> Desk:
    """A desk at a repository that has a memory."""
    tree = tree or FolderTree(known_by={OLD: (ROOT, REMOTE)})
    desk = Desk(tree=FolderTree(repositories=frozenset({OLD, NEW, THIRD}), known_by=tree.known_by))
    old = desk.at(directory=OLD)
    old.save("of the shop")
    return old


def moved(old: Desk, new: Path = NEW) -> Desk:
    old.tree.gone.add(OLD)
    return old.at(directory=new)


def test_traces_are_the_first_commit_and_the_remote() -> None:
    assert traces_of(COMMIT, "git@example.org:shop.git") == (ROOT, REMOTE)
    assert traces_of("", "/on/this/machine") == ()


def test_traces_are_left_once_and_asked_for_until_there_is_a_first_commit() -> None:
    tree = FolderTree(known_by={OLD: (REMOTE,)})
    desk = shop(tree)
    id = desk.project.id
    assert desk.project.aliases == ("git:/old/shop/.git", f"{REMOTE}:{id}")
    desk.tree.known_by[OLD] = (ROOT, REMOTE)
    desk.save("another")
    assert set(desk.project.aliases) > {f"{ROOT}:{id}"}
    desk.tree.traced.clear()
    desk.save("more")
    assert desk.tree.traced == []


@pytest.mark.parametrize("trace", [ROOT, REMOTE])
def test_a_repository_is_recognised_by_a_trace(trace: str) -> None:
    desk = shop()
    new = moved(desk)
    assert moved_here(new.projects, new.call) is None
    new.tree.known_by[NEW] = (trace,)
    assert moved_here(new.projects, new.call) == MovedProject(desk.project.id, str(OLD), gone=True)


def test_a_repository_is_recognised_by_its_name_unless_its_first_commit_is_another() -> None:
    desk = shop()
    new = moved(desk, THIRD)
    assert moved_here(new.projects, new.call) == MovedProject(desk.project.id, str(OLD), gone=True)
    new.tree.known_by[THIRD] = (f"root:{COMMIT[::-1]}",)
    assert moved_here(new.projects, new.call) is None


def test_a_project_whose_folder_is_there_has_not_moved() -> None:
    new = shop().at(directory=THIRD)
    assert moved_here(new.projects, new.call) is None


@pytest.mark.parametrize("given", [{"project": "shop"}, {"default_project": "shop"}, {"distant": True}])
def test_a_call_that_names_its_project_is_not_told_of_others(given: dict[str, object]) -> None:
    new = moved(shop(), THIRD).at(**given)
    assert moved_here(new.projects, new.call) is None


def test_a_merged_project_is_recognised_by_what_it_was_merged_from() -> None:
    desk = shop()
    new = moved(desk)
    MergeProjects(desk.storage, new.projects)(new.call, "shop", ".")
    new.tree.gone.add(NEW)
    third = desk.at(directory=THIRD)
    third.tree.known_by[THIRD] = (ROOT,)
    assert moved_here(third.projects, third.call) == MovedProject(new.project.id, str(NEW), gone=True)


def test_an_empty_recall_says_which_project_may_have_moved_here() -> None:
    desk = shop()
    new = moved(desk, THIRD)
    advice = (
        f"The folder of project {desk.project.id} (/old/shop) is gone. If it moved here, join them:"
        f" lamella project merge {desk.project.id} ."
    )
    assert new.recall(Recent()) == f"{NOTHING_SAVED} {advice}"
    with pytest.raises(NothingFoundError) as refused:
        new.recall(ByText("shop"))
    assert str(refused.value).endswith(f" check the ID. {advice}")


def test_a_folder_that_became_a_repository_has_its_former_project_to_join() -> None:
    desk = Desk(tree=FolderTree()).at(directory=OLD)
    desk.save("before")
    new = Desk(storage=desk.storage, tree=FolderTree(repositories=frozenset({OLD}))).at(directory=OLD)
    found = moved_here(new.projects, new.call)
    assert found == MovedProject(desk.project.id, str(OLD), gone=False)
    assert found is not None
    assert "from before it was a repository" in found.advice()
    MergeProjects(new.storage, new.projects)(new.call, "shop", "shop")
    assert [each.content for each in new.everything] == ["before"]
    with pytest.raises(ProjectChangeError):
        MergeProjects(new.storage, new.projects)(new.call, new.project.id, "shop")


@pytest.mark.parametrize("old", ["/old/shop", "../../old/shop", "shop", "git:/old/shop/.git"])
@pytest.mark.parametrize("new", ["store", "/new/store", "."])
def test_a_project_is_merged_however_both_are_called(old: str, new: str) -> None:
    desk = moved(shop())
    MergeProjects(desk.storage, desk.projects)(desk.call, old.replace("../../", "/"), new)
    assert [each.content for each in desk.everything] == ["of the shop"]


def test_a_folder_that_is_gone_is_no_place_for_a_new_project() -> None:
    desk = moved(shop())
    desk.save("new")
    MergeProjects(desk.storage, desk.projects)(desk.call, "store", "/old/shop")
    assert len(desk.at(directory=OLD).everything) == 2
    with pytest.raises(UnknownProjectError):
        MergeProjects(desk.storage, desk.projects)(desk.call, "nobody", ".")


def test_a_name_that_two_other_projects_have_is_ambiguous() -> None:
    desk = shop()
    desk.at(directory=THIRD).save("of another shop")
    with pytest.raises(AmbiguousProjectError):
        MergeProjects(desk.storage, desk.projects)(desk.at(directory=NEW).call, "shop", ".")


def test_a_folder_belongs_to_the_nearest_project_around_it() -> None:
    desk = Desk(tree=FolderTree()).at(directory=Path("/home/ada/notes"))
    below = desk.at(directory=Path("/home/ada/notes/deep/below"))
    assert titles(below) == []
    desk.save("of the notes")
    assert (below.here.project, below.here.root) == (desk.project, desk.call.directory)
    projects = below.projects
    assert projects.root(below.call) == projects.find(below.call).root == projects.root(below.call)
    between = below.at(project=desk.project.id)
    assert between.here.project == desk.project


def test_hooks_of_a_storage_that_lists_no_projects_recognise_none() -> None:
    class Silent(HookReads):
        shared = False

        def project(self, key: str, repository: str | None, name: str) -> Any:
            raise NotImplementedError

    assert Silent().projects() == []


def test_traces_hold_on_every_machine() -> None:
    project = shop().project
    settled = resettled(project, "m1", shared=True)
    traces = {each for each in project.aliases if each.startswith("root")}
    assert traces < set(settled.aliases)
