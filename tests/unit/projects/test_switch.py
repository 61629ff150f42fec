from datetime import timedelta
from pathlib import Path

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.application.projects.manage import MergeProjects
from lamella.application.projects.switch import SwitchProject
from lamella.domain.conversations.message import Role
from lamella.domain.errors import MemoryOffError, ProjectChangeError
from lamella.domain.memories.query import Recent
from lamella.domain.projects.identity import is_everywhere
from lamella.domain.projects.project import OffPeriod, Project
from lamella_adapters.memory import InMemoryStorage
from tests.unit.capture.drains import EDIT, TALK, Talks, drained
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN

MINUTE = timedelta(minutes=1)


def switch(desk: Desk, *, on: bool) -> Project | None:
    return SwitchProject(desk.storage, desk.projects, desk.clock, desk.spool)(desk.call, on=on)


def test_a_project_that_another_was_merged_into_is_switched() -> None:
    desk = Desk()
    new = desk.at(directory=Path("/new"))
    desk.save("old")
    new.save("new")
    MergeProjects(desk.storage, desk.projects)(new.call, "lovelace", "new")
    off = switch(desk, on=False)
    assert off is not None
    assert off.name == "new"
    with pytest.raises(MemoryOffError):
        new.recall(Recent())
    assert {"name:lovelace", "name:new", *off.aliases} < desk.spool.silent
    switch(desk, on=True)
    assert desk.spool.silent == frozenset()


def test_global_memories_are_not_switched_off() -> None:
    desk = Desk()
    desk.saving(SaveRequest(text="everywhere", everywhere=True))
    (place,) = (each for each in desk.storage.registry.all() if is_everywhere(each.aliases))
    with pytest.raises(ProjectChangeError, match="switched off by a setting"):
        switch(desk.at(project=place.id), on=False)


def test_hooks_of_a_machine_know_its_own_places_of_a_shared_storage() -> None:
    desk = Desk(storage=InMemoryStorage(shared=True))
    switch(desk, on=False)
    keys = {each for each in desk.spool.silent if not each.startswith("name:")}
    assert keys == {desk.tree.locate(HOME).key}


def test_what_was_captured_before_is_stored_and_what_was_captured_since_is_dropped() -> None:
    desk = Desk()
    desk.spool.put(**EDIT)
    desk.spool.put(**{**EDIT, "path": str(HOME / "late.py")})
    desk.spool.put(event="Stop", transcript=TALK)
    project = desk.project
    desk.storage.registry.switch(project.id, on=False, now=DAWN + MINUTE + timedelta(seconds=1))
    assert drained(desk, Talks([(Role.HUMAN, "One")])).done == 3
    assert desk.spool.captures == {}
    assert desk.spool.silent >= set(project.aliases)
    desk.storage.registry.switch(project.id, on=True, now=DAWN + MINUTE * 30)
    assert [each.changes[0].path for each in desk.everything] == ["pay.py"]
    assert desk.here.conversations().numbers("s") == ()


def test_what_was_said_while_memory_was_off_is_not_imported_afterwards() -> None:
    desk = Desk()
    project = desk.project
    desk.storage.registry.switch(project.id, on=False, now=DAWN.replace(minute=2))
    desk.storage.registry.switch(project.id, on=True, now=DAWN.replace(minute=4))
    desk.spool.put(event="Stop", transcript=TALK, at=DAWN.replace(minute=30))
    talks = Talks([(Role.HUMAN, each) for each in ("One", "Two", "Three", "Four")])
    drained(desk, talks)
    conversations = desk.here.conversations()
    said = conversations.messages(conversations.numbers("s"))
    assert [each.text for each in said] == ["One", "Four"]


def test_a_clock_that_was_set_back_leaves_no_period_that_ends_before_it_begins() -> None:
    project = Project(id="p", name="p", created_at=DAWN)
    off = project.switched(on=False, now=DAWN)
    assert off.switched(on=True, now=DAWN - MINUTE).off == (OffPeriod(DAWN, DAWN),)
