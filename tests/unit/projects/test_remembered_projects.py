"""Saves and purges in a project that the process has found before, in a storage that machines share."""

from pathlib import Path

import pytest
from attrs import define, evolve, field

from lamella.application.memories.purge_restore_erase import StatusChangeOutcome
from lamella.application.memories.save import SaveRequest
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.errors import MemoryOffError, UnknownProjectError
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import LATER, START, signed
from tests.unit.support.doubles import HOME, Desk, everything
from tests.unit.support.stand_ins import FolderTree, NamedMachine


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
