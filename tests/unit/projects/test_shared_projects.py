"""Projects in a storage that several machines share."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import HOME, Desk, titles
from tests.unit.support.stand_ins import CountingIds, FolderTree, NamedMachine

CLONE = Path("/home/ada/lovelace")
UPSTREAM = f"repository:{'0' * 40}:example.org/ada/lovelace"


def desk_on(machine: str, storage: InMemoryStorage, directory: Path = HOME, repository: str | None = None) -> Desk:
    """A desk on one of several machines."""
    tree = FolderTree(clones={} if repository is None else {directory: repository})
    saved = sum(len(shelf.rows) for shelf in storage.registry.data_of.values())
    desk = Desk(storage=storage, machine=NamedMachine(machine), tree=tree, ids=CountingIds(last=1000 * saved))
    return desk.at(directory=directory)


@pytest.fixture
def storage() -> InMemoryStorage:
    """Return a storage that machines share."""
    return InMemoryStorage(shared=True)


def test_two_clones_on_two_machines_are_one_project(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage, HOME, UPSTREAM)
    desktop = desk_on("desktop", storage, CLONE, UPSTREAM)
    laptop.save("on the laptop")
    assert titles(desktop) == ["on the laptop"]
    assert laptop.project == desktop.project
    assert laptop.project.aliases == (UPSTREAM,)


def test_one_path_on_two_machines_is_two_projects(storage: InMemoryStorage) -> None:
    laptop, desktop = desk_on("laptop", storage), desk_on("desktop", storage)
    laptop.save("on the laptop")
    assert desktop.here.project is None
    assert laptop.project.aliases == (f"machine:laptop:dir:{HOME}",)
    assert laptop.project != desktop.project


def test_a_name_that_the_user_sets_is_one_project_on_all_machines(storage: InMemoryStorage) -> None:
    laptop, desktop = (desk_on(name, storage).at(default_project="ours") for name in ("laptop", "desktop"))
    laptop.save("on the laptop")
    assert titles(desktop) == ["on the laptop"]
    assert laptop.tree.asked == desktop.tree.asked == []


def test_a_call_knows_where_it_belongs(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage, HOME, UPSTREAM)
    laptop.tree.clones[CLONE] = UPSTREAM
    project = laptop.project
    assert laptop.projects.lives_here(laptop.call, project)
    assert laptop.projects.belongs_here(laptop.call, CLONE)
    assert not laptop.projects.belongs_here(laptop.call, CLONE.parent)


def test_git_is_not_asked_where_machines_share_nothing() -> None:
    desk = Desk(tree=FolderTree(clones={HOME: UPSTREAM}))
    desk.save("at home")
    assert desk.tree.asked == []
    assert desk.project.aliases == (f"dir:{HOME}",)


def test_a_location_that_was_looked_up_already_is_known_by_its_machine_too(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage)
    located = laptop.at(location=laptop.tree.locate(HOME))
    assert located.project == laptop.project
    assert evolve(located.call, location=None) == laptop.call


def test_the_author_is_the_user_of_the_machine_unless_the_call_names_one(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage)
    authors = [laptop.at(author=author).save(f"by {author}").author for author in (None, "Ada")]
    assert authors == ["laptop's user", "Ada"]


def test_a_storage_of_one_machine_names_no_author_unless_the_call_does() -> None:
    authors = [Desk().at(author=author).save("said").author for author in (None, "Ada")]
    assert authors == [None, "Ada"]
