"""Clones of a repository on several machines."""

from datetime import timedelta
from pathlib import Path

from attrs import evolve

from lamella.domain.errors import StorageError
from lamella.domain.memories.kind import Kind
from lamella.domain.projects.project import Location, Project
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.storage import InMemoryRegistry
from tests.unit.exchange.moving import REPOSITORY, exported, imported
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, FolderTree


def git_project(desk: Desk, folder: str, minutes: int = 0) -> Project:
    """A project that lives in a repository."""
    place = Location(key=f"git:{folder}/.git", name=Path(folder).name, root=Path(folder))
    return desk.storage.registry.at(place, now=DAWN + timedelta(minutes=minutes))


def test_a_clone_finds_what_came_from_another_machine() -> None:
    home = Path("/home/ada/app")
    here = Desk(tree=FolderTree(clones={home: REPOSITORY}))
    app = git_project(here, str(home))
    bare = git_project(here, "/srv/bare.git".removesuffix("/.git"))
    here.at(project=app.id).save("of the repository")
    records = exported(here)
    described = {each.id: each.aliases for each in records if isinstance(each, Project)}
    assert described == {app.id: ("git:/home/ada/app/.git", REPOSITORY), bare.id: bare.aliases}
    clone = Path("/srv/clone")
    there = Desk(tree=FolderTree(clones={clone: REPOSITORY}), call=evolve(Desk().call, directory=clone))
    imported(there, records)
    assert [each.content for each in there.everything] == ["of the repository"]
    assert f"dir:{clone}" in there.project.aliases
    elsewhere = there.at(directory=Path("/srv/elsewhere"))
    assert elsewhere.projects.find(elsewhere.call).project is None
    assert f"dir:{clone}" in exported(there)[0].aliases  # type: ignore[union-attr]  # a project
    there.tree.asked.clear()
    there.save("asks git no more")
    assert there.tree.asked == []


def test_what_comes_to_a_clone_with_memories_of_its_own_joins_them() -> None:
    home, clone, late = Path("/home/ada/app"), Path("/srv/clone"), Path("/srv/late")
    other = Path("/srv/other")
    here = Desk(tree=FolderTree(clones={home: REPOSITORY, other: REPOSITORY.replace("ada", "eva")}))
    here.at(project=git_project(here, str(home)).id).save("of the repository")
    git_project(here, str(other))
    records = exported(here)
    there = Desk(tree=FolderTree(clones={clone: REPOSITORY, late: REPOSITORY}))
    git_project(there, str(late), minutes=3)
    own = there.at(project=git_project(there, str(clone)).id)
    there.ids.new()  # that of the other machine's memory
    own.save("local")
    assert imported(there, records, dry_run=True).new.keys() == {("clone", Kind.NOTE)}
    assert imported(there, records).new.keys() == {("clone", Kind.NOTE)}
    assert {each.content for each in own.everything} == {"local", "of the repository"}
    assert imported(there, records).known == 1


def test_a_clone_finds_it_in_a_storage_that_can_only_be_read() -> None:
    class ReadOnly(InMemoryRegistry):
        def upsert(self, project: Project) -> Project:
            if project.id in self.projects:
                raise StorageError(reason="read only", advice="none")
            return super().upsert(project)

    there = Desk(tree=FolderTree(clones={Desk().call.directory: REPOSITORY}))
    assert isinstance(there.storage, InMemoryStorage)
    there.storage.registry = ReadOnly()
    given = Project(id="app-0", name="app", aliases=(REPOSITORY,), created_at=DAWN)
    there.storage.registry.upsert(given)
    assert there.project == given


def test_of_two_clones_the_first_has_the_alias_of_the_repository() -> None:
    one, two = "/home/ada/one", "/home/ada/two"
    here = Desk(tree=FolderTree(clones={Path(one): REPOSITORY, Path(two): REPOSITORY}))
    late, early = git_project(here, one, minutes=2), git_project(here, two, minutes=1)
    described = {each.id: each.aliases for each in exported(here) if isinstance(each, Project)}
    assert described == {late.id: late.aliases, early.id: (*early.aliases, REPOSITORY)}
