"""Projects that were moved, and folders inside of others."""

from pathlib import Path
from typing import Any

from lamella.domain.projects.identity import resettled, traces_of
from lamella.domain.projects.moved import ListedProject, moved_to
from lamella.ports.hook_reads import HookReads
from tests.unit.support.doubles import Desk
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


def test_traces_are_the_first_commit_and_the_remote() -> None:
    assert traces_of(COMMIT, "git@example.org:shop.git") == (ROOT, REMOTE)
    assert traces_of("", "/on/this/machine") == ()


def test_traces_are_left_once_and_asked_for_until_there_is_a_first_commit() -> None:
    tree = FolderTree(known_by={OLD: (REMOTE, "entry:1", "entry:2")})
    desk = shop(tree)
    id = desk.project.id
    assert {*desk.project.aliases} == {"git:/old/shop/.git", *(f"{each}:{id}" for each in tree.known_by[OLD])}
    desk.tree.known_by[OLD] = ("entry:2", "entry:3")
    desk.save("another")
    assert f"entry:3:{id}" not in desk.project.aliases
    desk.tree.known_by[OLD] = (ROOT, REMOTE)
    desk.save("another")
    assert set(desk.project.aliases) > {f"{ROOT}:{id}"}
    desk.tree.traced.clear()
    desk.save("more")
    assert desk.tree.traced == []


def test_of_clones_that_are_gone_the_one_with_the_name_or_the_parent_folder_is_named() -> None:
    gone = [
        ListedProject(name, name, (f"git:{folder}/{name}/.git", f"{ROOT}:{name}"))
        for name, folder in (("a", "/work"), ("shop", "/old"))
    ]

    def found(name: str, folder: str) -> str | None:
        key = f"git:{folder}/{name}/.git"
        moved = moved_to(key, name, gone, is_gone=lambda _: True, traces=lambda: [ROOT])
        return moved and moved.id

    assert [found("shop2", "/old"), found("shop", "/work"), found("b", "/work")] == ["shop", "shop", "a"]


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
