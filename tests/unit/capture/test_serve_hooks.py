"""What a team's server gives to the hooks of other machines, and takes from them."""

from pathlib import Path
from uuid import uuid4

import pytest
from attrs import define, evolve

from lamella.application.capture import serve_hooks
from lamella.application.capture.serve_hooks import ServeHooks
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, MemoryOffError, UnknownProjectError
from lamella.domain.memories.kind import EDITED, LEARNED
from lamella.domain.memories.observation import CodeChange, Draft, Observation
from lamella.domain.projects.identity import author_key, machine_key
from lamella.domain.projects.key import EVERYWHERE
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import ProjectLook
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.storage.feed import Mark
from lamella.ports.storage.ledger import Capture
from lamella_adapters.mcp.http.distant import DistantWorkingTree
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.stand_ins import DAWN, FixedClock, NamedMachine

REPOSITORY = f"repository:{'a' * 40}:example.com/shop"
HERE = Location(key="machine:laptop:git:/shop/.git", name="shop", root=Path("/shop"), repository=REPOSITORY)
ADA, NOBODY = (Call(directory=Path("/"), author=name, distant=True) for name in ("ada", None))


@define
class Team:
    storage: InMemoryStorage
    hooks: ServeHooks

    def save(self, project: Project, text: str) -> Observation:
        memories = self.storage.observations(project.id)
        return memories.add(Draft(content=text), id=uuid4(), now=DAWN).observation

    def everywhere(self, author: str) -> Project:
        location = Location(key=author_key(author, EVERYWHERE), name="everywhere", root=Path())
        return self.storage.registry.at(location, now=DAWN)


@pytest.fixture
def team() -> Team:
    storage, clock = InMemoryStorage(shared=True), FixedClock(DAWN)
    projects = ProjectResolver(storage, DistantWorkingTree(), clock, NamedMachine(), InMemoryStorage)
    return Team(storage, ServeHooks(projects, storage, clock))


def capture(source: str = EDITED) -> Capture:
    change = CodeChange(path="pay.py", hunks="@@ @@\n-one\n+two")
    draft = Draft(content="Pay.", source=source, author="somebody", changes=(change,), request=f"r {source}")
    return Capture(id=uuid4(), draft=draft, at=DAWN)


@pytest.mark.parametrize(
    "location",
    [
        evolve(HERE, key=author_key("bob", EVERYWHERE)),
        evolve(HERE, key=machine_key("laptop", EVERYWHERE)),
        evolve(HERE, key="git:/shop/.git"),
        evolve(HERE, repository=author_key("bob", EVERYWHERE)),
        evolve(HERE, repository=f"{REPOSITORY}:{EVERYWHERE}"),
    ],
)
def test_no_location_leads_to_what_belongs_to_no_machine(team: Team, location: Location) -> None:
    team.everywhere("bob")
    with pytest.raises(InvalidValueError, match="location must be a folder or repository on a machine"):
        team.hooks.at(ADA, location)


def test_global_memories_are_those_of_the_caller(team: Team) -> None:
    mine, others = team.everywhere("ada"), team.everywhere("bob")
    there = machine_key("laptop", EVERYWHERE)
    assert [each.id for each in team.hooks.look(ADA, ProjectLook(every=True))] == [mine.id]
    (found,) = team.hooks.look(ADA, ProjectLook(aliases=(there,)))
    assert (found.id, there in found.aliases) == (mine.id, True)
    for caller in (NOBODY, evolve(ADA, author="carol")):
        assert team.hooks.look(caller, ProjectLook(ids=(mine.id,), aliases=(there,))) == ()
    assert set(team.hooks.states(ADA, (mine.id, others.id))) == {mine.id}
    assert team.hooks.tenant(ADA) == team.storage.tenant
    with pytest.raises(UnknownProjectError):
        team.hooks.after(ADA, others.id, Mark())


def test_changes_come_in_pages_of_bounded_size(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_hooks, "_PAGE_CHARACTERS", 8)
    project = team.hooks.at(ADA, HERE)
    known, *_ = (team.save(project, text).id for text in ("one", "three", "four", "a longer one"))
    mark, pages = Mark(), list[list[str]]()
    while changes := team.hooks.after(ADA, project.id, mark):
        pages.append([each.arrival.observation.content for each in changes])
        mark = changes[-1].mark
    assert pages == [["one", "three"], ["four", "a longer one"]]
    assert team.hooks.known(ADA, project.id, (known, uuid4())) == {known: ImportResult.KNOWN}


def test_captures_are_stored_once_as_those_of_the_caller_even_if_memory_is_off(team: Team) -> None:
    project = team.hooks.at(ADA, HERE)
    team.storage.registry.switch(project.id, on=False, now=DAWN)
    captures = (capture(), capture(LEARNED))
    outcomes = [team.hooks.record(ADA, project.id, captures) for _ in range(2)]
    assert [*map(str, outcomes[0])] != [*map(str, outcomes[1])] == ["known", "known"]
    assert team.hooks.states(ADA, (project.id,)) == {}
    with pytest.raises(MemoryOffError):
        team.hooks.after(ADA, project.id, Mark())
    team.storage.registry.switch(project.id, on=True, now=DAWN)
    stored = [each.arrival.observation for each in team.hooks.after(ADA, project.id, Mark())]
    assert {each.source: each.author for each in stored} == {EDITED: "ada", LEARNED: "somebody"}
