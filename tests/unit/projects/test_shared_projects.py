"""Projects in a storage that several machines share."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.memories.query import Recent
from lamella.domain.project import Project
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import CountingIds, FolderTree, NamedMachine

CLONE = Path("/home/ada/lovelace")
UPSTREAM, FORK = (f"repository:{'0' * 40}:example.org/{owner}/lovelace" for owner in ("ada", "fork"))


def desk_on(machine: str, storage: InMemoryStorage, directory: Path = HOME, repository: str | None = None) -> Desk:
    """A desk on one of several machines."""
    tree = FolderTree(clones={} if repository is None else {directory: repository})
    saved = sum(len(shelf.rows) for shelf in storage.registry.shelves.values())
    desk = Desk(storage=storage, machine=NamedMachine(machine), tree=tree, ids=CountingIds(last=1000 * saved))
    return desk.at(directory=directory)


@pytest.fixture
def storage() -> InMemoryStorage:
    """Return a storage that machines share."""
    return InMemoryStorage(shared=True)


def project_of(desk: Desk) -> Project:
    project = desk.made_here.project
    assert project is not None
    return project


def titles(desk: Desk) -> list[str]:
    return [line.split(" | ")[1] for line in desk.shown(Recent()) if " | " in line]


def test_two_clones_on_two_machines_are_one_project(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage, HOME, UPSTREAM)
    desktop = desk_on("desktop", storage, CLONE, UPSTREAM)
    laptop.save("on the laptop")
    assert titles(desktop) == ["on the laptop"]
    assert project_of(laptop) == project_of(desktop)
    assert project_of(laptop).aliases == (UPSTREAM,)


def test_one_path_on_two_machines_is_two_projects(storage: InMemoryStorage) -> None:
    laptop, desktop = desk_on("laptop", storage), desk_on("desktop", storage)
    laptop.save("on the laptop")
    assert desktop.here.project is None
    assert project_of(laptop).aliases == (f"machine:laptop:dir:{HOME}",)
    assert project_of(laptop) != project_of(desktop)


def test_a_fork_is_another_project(storage: InMemoryStorage) -> None:
    upstream = desk_on("laptop", storage, HOME, UPSTREAM)
    upstream.save("upstream")
    for fork in (desk_on("laptop", storage, HOME, FORK), desk_on("desktop", storage, CLONE, FORK)):
        assert fork.here.project is None
    assert project_of(upstream) != project_of(desk_on("laptop", storage, HOME, FORK))


def test_a_project_that_gets_a_remote_later_is_found_from_every_clone(storage: InMemoryStorage) -> None:
    alone = desk_on("laptop", storage)
    alone.save("before the remote")
    shared, clone = desk_on("laptop", storage, HOME, UPSTREAM), desk_on("desktop", storage, CLONE, UPSTREAM)
    assert (titles(shared), clone.here.project) == (["before the remote"], None)
    shared.save("after it")
    assert titles(clone) == ["after it", "before the remote"]
    assert project_of(alone) == project_of(shared) == project_of(clone)


def test_another_repository_in_the_same_folder_is_another_project(storage: InMemoryStorage) -> None:
    desk_on("laptop", storage).save("before the remote")
    desk_on("laptop", storage, HOME, UPSTREAM).save("upstream")
    other = desk_on("laptop", storage, HOME, FORK)
    assert other.here.project is None
    other.save("in the fork")
    assert (titles(other), len(storage.registry.all())) == (["in the fork"], 2)


def test_a_name_that_the_user_sets_is_one_project_on_all_machines(storage: InMemoryStorage) -> None:
    laptop, desktop = (desk_on(name, storage).at(default_project="ours") for name in ("laptop", "desktop"))
    laptop.save("on the laptop")
    assert titles(desktop) == ["on the laptop"]
    assert laptop.tree.asked == desktop.tree.asked == []


def test_a_call_knows_where_it_belongs(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage, HOME, UPSTREAM)
    laptop.tree.clones[CLONE] = UPSTREAM
    project = project_of(laptop)
    assert laptop.projects.lives_here(laptop.call, project)
    assert laptop.projects.belongs_here(laptop.call, CLONE)
    assert not laptop.projects.belongs_here(laptop.call, CLONE.parent)


def test_git_is_not_asked_where_machines_share_nothing() -> None:
    desk = Desk(tree=FolderTree(clones={HOME: UPSTREAM}))
    desk.save("at home")
    assert desk.tree.asked == []
    assert project_of(desk).aliases == (f"dir:{HOME}",)


def test_a_location_that_was_looked_up_already_is_known_by_its_machine_too(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage)
    located = laptop.at(location=laptop.tree.locate(HOME))
    assert project_of(located) == project_of(laptop)
    assert evolve(located.call, location=None) == laptop.call


def test_the_author_is_the_user_of_the_machine_unless_the_call_names_one(storage: InMemoryStorage) -> None:
    laptop = desk_on("laptop", storage)
    authors = [laptop.at(author=author).save(f"by {author}").author for author in (None, "Ada")]
    assert authors == ["laptop's user", "Ada"]


def test_a_storage_of_one_machine_names_no_author_unless_the_call_does() -> None:
    authors = [Desk().at(author=author).save("said").author for author in (None, "Ada")]
    assert authors == [None, "Ada"]
