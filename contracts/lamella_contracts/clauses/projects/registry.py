"""Clauses on the registry of projects and how to find one."""

import pytest
from attrs import evolve

from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.projects.project import Location, OffPeriod, Project
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.project import LONG_KEY, MINUTE, START, ProjectFixture, location_named

HOSTILE_KEYS = (
    '/it\'s/"quoted"',
    "/100%_/*?[a]",
    "/line\nend",
    "/e\u0301\u00e9",
    "C:\\Users\\x",
    "/not utf-8 \udce9",
    "/\U0001f680",
)


class RegistryClauses:
    """Projects are found by place, id, alias and name."""

    def test_a_new_place_is_a_new_project(self, project: ProjectFixture) -> None:
        """A project's id is made up instead of taken from its location, or a field is missing."""
        here = location_named("here")
        made = project.storage.registry.at(here, now=START + MINUTE)
        assert made == Project(
            id=here.project_id, name="here", aliases=("/home/here/.git",), created_at=START + MINUTE
        )
        assert project.storage.registry.all() == (made, project.registered)

    def test_a_place_keeps_its_project(self, project: ProjectFixture) -> None:
        """Asking again makes another project, or gives the first one a new name or date."""
        registry = project.storage.registry
        first = registry.at(location_named("here"), now=START)
        assert registry.at(location_named("here"), now=START + MINUTE) == first
        assert registry.at(location_named("renamed", key="/home/here/.git"), now=START + MINUTE) == first
        assert registry.all() == (first, project.registered)

    def test_memory_is_switched_off_and_on(self, project: ProjectFixture) -> None:
        """A switch is not noted everywhere, loses earlier times, or begins anew when it is repeated."""
        registry = project.storage.registry
        assert project.registered.off == ()
        off = registry.switch(project.id, on=False, now=START + MINUTE)
        assert off == evolve(project.registered, off=(OffPeriod(START + MINUTE),))
        assert registry.switch(project.id, on=False, now=START + MINUTE * 2) == off
        assert (registry.named(project.id), registry.living_at(project.location), registry.all()) == (
            off,
            off,
            (off,),
        )
        assert registry.at(project.location, now=START) == off
        on = registry.switch(project.id, on=True, now=START + MINUTE * 3)
        assert on == evolve(off, off=(OffPeriod(START + MINUTE, START + MINUTE * 3),))
        assert registry.switch(project.id, on=True, now=START + MINUTE * 4) == on
        again = registry.switch(project.id, on=False, now=START + MINUTE * 5)
        assert again.off == (*on.off, OffPeriod(START + MINUTE * 5))
        assert registry.all() == (again,)
        with pytest.raises(UnknownProjectError):
            registry.switch("unknown", on=False, now=START)

    @needs(Capability.DURABLE)
    def test_switches_survive_a_restart(self, project: ProjectFixture) -> None:
        """The switch is in memory only: after a restart everything is kept and shown again."""
        off = project.storage.registry.switch(project.id, on=False, now=START + MINUTE)
        assert project.reopened().storage.registry.living_at(project.location) == off

    def test_projects_are_listed_by_name_and_id(self, project: ProjectFixture) -> None:
        """Projects are listed as they were made, or by the collation of a language, such as without case."""
        registry = project.storage.registry
        names = ("b", "c", "a", "b", "b", "b", "B", "a_c", "ab", "a-d", "z", "\u00e4", "\uffee", "\U0001f680")
        for number, name in enumerate(names):
            registry.at(location_named(name, key=f"/{number}"), now=START)
        listed = registry.all()
        assert isinstance(listed, tuple)
        assert [(each.name, each.id) for each in listed] == sorted((each.name, each.id) for each in listed)
        assert len(listed) == len(names) + 1

    def test_id_alias_and_name_lead_to_a_project(self, project: ProjectFixture) -> None:
        """One of id, alias and name is not looked at."""
        here = project.other("here").registered
        asked = (here.id, here.aliases[0], here.name)
        assert [project.storage.registry.named(each) for each in asked] == [here] * 3

    def test_a_name_of_several_is_ambiguous(self, project: ProjectFixture) -> None:
        """The first of several projects with a name is taken, or the error doesn't list their ids in order."""
        registry = project.storage.registry
        ids = sorted(registry.at(location_named("app", key=f"/{number}"), now=START).id for number in range(3))
        with pytest.raises(AmbiguousProjectError) as raised:
            registry.named("app")
        assert (raised.value.asked, list(raised.value.candidates)) == ("app", ids)

    def test_hostile_places_are_projects_too(self, project: ProjectFixture) -> None:
        """A key is pasted into a statement, cut or normalised; or can't be stored, as its path was no UTF-8."""
        registry = project.storage.registry
        places = [Location(key=key, name=key, root=project.folder) for key in HOSTILE_KEYS]
        made = [registry.at(each, now=START) for each in places]
        assert [each.aliases for each in made] == [(each.key,) for each in places]
        assert [registry.at(each, now=START) for each in places] == made
        assert [registry.named(each.key) for each in places] == made

    def test_long_places_are_told_apart(self, project: ProjectFixture) -> None:
        """The column or the index of aliases is too short for a long key, or cuts it."""
        registry = project.storage.registry
        places = [location_named("deep", key=f"{LONG_KEY}{end}") for end in "ab"]
        made = [registry.at(each, now=START) for each in places]
        assert [each.aliases for each in made] == [(stored_key(each.key),) for each in places]
        for found in (registry.living_at, lambda each: registry.named(each.key)):
            assert [found(each) for each in places] == made
        assert [registry.at(each, now=START) for each in places] == made

    def test_threads_that_meet_at_a_place_agree(self, project: ProjectFixture) -> None:
        """The check for an existing project is outside the transaction that makes one."""
        registry = project.storage.registry
        made = at_once([lambda: registry.at(location_named("meeting"), now=START)] * THREADS)
        assert len(set(made)) == 1
        assert len(registry.all()) == 2
