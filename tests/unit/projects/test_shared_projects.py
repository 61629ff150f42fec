"""Projects in a storage that several machines share."""

from pathlib import Path

import pytest
from attrs import define, evolve, field

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.memories.save import SaveRequest
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.errors import MemoryOffError, UnknownProjectError
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import LATER, START, signed
from tests.unit.support.doubles import HOME, Desk, everything, titles
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


@define
class Process(Desk):
    """A desk whose calls share what their process has found."""

    resolvers: list[ProjectResolver] = field(factory=list)

    @property
    def projects(self) -> ProjectResolver:
        if not self.resolvers:
            self.resolvers.append(super().projects)
        return self.resolvers[0]


def shared_desk() -> Process:
    """A desk whose process has found its project."""
    desk = Process(storage=InMemoryStorage(shared=True), machine=NamedMachine("laptop"), tree=FolderTree())
    desk.save("first")
    assert desk.projects.remembered(desk.call) is not None
    return desk


def test_a_call_that_names_its_project_is_not_remembered() -> None:
    desk = shared_desk()
    for each in (
        evolve(desk.call, project="lovelace"),
        evolve(desk.call, default_project="lovelace"),
        evolve(desk.call, directory=Path("/elsewhere")),
    ):
        assert desk.projects.remembered(each) is None


def test_projects_in_headers_are_remembered_but_not_global_memories() -> None:
    desk = shared_desk()

    def remote(author: str, name: str) -> Desk:
        place = Location(key=key_of_name(name), name=name, root=HOME)
        return desk.at(author=author, default_project=name, location=place, distant=True)

    made = remote("ada", "shop").save("there").project
    for name in ("shop", made):
        assert remote("ada", name).save("again").project == made
        assert remote("grace", name).projects.remembered(remote("grace", name).call) is not None
    own = desk.projects.make_everywhere(remote("ada", "shop").call).id
    assert remote("ada", own).save("for ada").project == own
    assert remote("grace", own).save("for grace").project != own


def test_a_storage_of_one_machine_remembers_nothing() -> None:
    desk = Process()
    desk.save("first")
    assert desk.projects.remembered(desk.call) is None


def test_nothing_is_saved_or_purged_once_another_process_switched_memory_off() -> None:
    desk = shared_desk()
    first, project = everything(desk.here), desk.project
    desk.storage.registry.switch(project.id, on=False, now=START)
    with pytest.raises(MemoryOffError):
        desk.save("second")
    with pytest.raises(MemoryOffError):
        desk.purge(desk.call, ["00000001"])
    even_off = desk.at(even_off=True)
    assert everything(even_off.here) == first
    even_off.save("second")
    assert [each.content for each in everything(even_off.here)] == ["first", "second"]
    desk.storage.registry.switch(project.id, on=True, now=LATER)
    assert desk.save("third").project == project.id


def test_a_merge_and_a_split_of_another_process_are_followed() -> None:
    desk = shared_desk()
    other = desk.at(directory=Path("/other"))
    other.save("there")
    here, there = desk.project.id, other.project.id
    registry = desk.storage.registry
    registry.merge(here, there, by=signed())
    assert desk.save("merged").project == there
    late = evolve(desk, resolvers=[])
    assert late.save("later").project == there
    # Its place leads there only until a split.
    assert late.projects.remembered(late.call) is None
    registry.split(here, by=signed())
    assert desk.save("split").project == here


def test_what_holds_everywhere_is_purged_there() -> None:
    desk = shared_desk()
    saved = desk.saving(SaveRequest(text="always", everywhere=True)).observation
    assert desk.purge(desk.call, [str(saved.id)]) == StatusChangeOutcome(changed=(saved,))


def test_a_project_that_an_older_database_lacks_is_made_anew_by_the_second_call() -> None:
    desk = shared_desk()
    project = desk.project
    older = InMemoryStorage(shared=True)
    desk.projects.storage = older
    with pytest.raises(UnknownProjectError):
        desk.save("second")
    assert desk.save("second").project == project.id
    assert [each.aliases for each in older.registry.all()] == [(f"machine:laptop:dir:{HOME}",)]
