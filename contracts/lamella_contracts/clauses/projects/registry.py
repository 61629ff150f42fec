"""Clauses on the registry: finding, separating and sharing projects."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import pytest
from attrs import evolve

from lamella.domain.errors import AmbiguousProjectError, UnknownProjectError
from lamella.domain.memories.observation import Draft
from lamella.domain.projects.project import Location, OffPeriod, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import ProjectLook
from lamella.domain.transactions.registry import LeadTo
from lamella.ports.storage.feed import Mark
from lamella.ports.storage.observations import Added
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.project import (
    LONG_KEY,
    MICROSECOND,
    MINUTE,
    START,
    ProjectFixture,
    location_named,
    signed,
)
from lamella_contracts.fixtures.vectors import MODEL

HOSTILE_KEYS = (
    '/it\'s/"quoted"',
    "/100%_/*?[a]",
    "/line\nend",
    "/e\u0301\u00e9",
    "C:\\Users\\x",
    "/not utf-8 \udce9",
    "/\U0001f680",
)
UPSTREAM, FORK = (f"repository:{'0' * 40}:example.org/{owner}/app" for owner in ("ada", "fork"))
"""Aliases of a repository and of its fork, with the same first commit."""


class RegistryClauses:
    """Projects are found by location, id, alias and name."""

    def test_a_place_keeps_its_project(self, project: ProjectFixture) -> None:
        """Fails if registering a location again creates another project, or loses a field.

        Also fails if a project isn't found by id, alias or name, or if an alias moves to another project.
        """
        registry = project.storage.registry
        here = location_named("here")
        first = registry.at(here, now=START + MINUTE)
        assert first == Project(
            id=here.project_id, name="here", aliases=("/home/here/.git",), created_at=START + MINUTE
        )
        assert registry.at(location_named("renamed", key="/home/here/.git"), now=START + MINUTE) == first
        assert [registry.named(each) for each in (first.id, first.aliases[0], first.name)] == [first] * 3
        assert registry.all() == (first, project.registered)
        registry.transact(ProjectLook(), lambda _: ((LeadTo(project.id, first.aliases),), None))
        assert registry.named(first.aliases[0]) == first

    def test_memory_is_switched_off_and_on(self, project: ProjectFixture) -> None:
        """Fails if a lookup of a project doesn't show that its memory was switched off or on.

        Also fails if earlier periods without memory are lost.
        """
        registry = project.storage.registry
        periods: tuple[OffPeriod, ...] = ()
        for number in range(2):
            begun, ended = START + 2 * number * MINUTE, START + (2 * number + 1) * MINUTE
            for on, now, period in ((False, begun, OffPeriod(begun)), (True, ended, OffPeriod(begun, ended))):
                switched = evolve(project.registered, off=(*periods, period))
                assert registry.switch(project.id, on=on, now=now) == switched
                assert registry.named(project.id) == registry.living_at(project.location) == switched
                assert (registry.at(project.location, now=START), registry.all()) == (switched, (switched,))
            periods = switched.off

    def test_projects_are_listed_by_name_and_id(self, project: ProjectFixture) -> None:
        """Fails if projects are ordered by creation or by a language's collation instead of by code points."""
        registry = project.storage.registry
        names = ("b", "c", "a", "b", "b", "b", "B", "a_c", "ab", "a-d", "z", "\u00e4", "\uffee", "\U0001f680")
        for number, name in enumerate(names):
            registry.at(location_named(name, key=f"/{number}"), now=START)
        listed = registry.all()
        assert isinstance(listed, tuple)
        assert [(each.name, each.id) for each in listed] == sorted((each.name, each.id) for each in listed)
        assert len(listed) == len(names) + 1

    def test_a_name_of_several_is_ambiguous(self, project: ProjectFixture) -> None:
        """Fails if a name shared by several projects selects one project instead of raising an error.

        Also fails if the error doesn't list their ids in order.
        """
        registry = project.storage.registry
        ids = sorted(registry.at(location_named("app", key=f"/{number}"), now=START).id for number in range(3))
        with pytest.raises(AmbiguousProjectError) as raised:
            registry.named("app")
        assert (raised.value.asked, list(raised.value.candidates)) == ("app", ids)

    def test_hostile_places_are_projects_too(self, project: ProjectFixture) -> None:
        """Fails if a key is interpolated into a statement, truncated or normalised.

        Also fails if a key is refused because its path isn't UTF-8.
        """
        registry = project.storage.registry
        keys = (*HOSTILE_KEYS, *(f"{LONG_KEY}{end}" for end in "ab"))
        places = [Location(key=key, name=f"{number}", root=project.folder) for number, key in enumerate(keys)]
        made = [registry.at(each, now=START) for each in places]
        assert [each.aliases for each in made] == [(stored_key(each.key),) for each in places]
        for found in (registry.living_at, lambda each: registry.named(each.key)):
            assert [found(each) for each in places] == made
        assert [registry.at(each, now=START) for each in places] == made

    def test_threads_that_meet_at_a_place_agree(self, project: ProjectFixture) -> None:
        """Fails if threads that register one location simultaneously create several projects.

        The check for an existing project must be in the transaction that inserts the project.
        """
        registry = project.storage.registry
        made = at_once([lambda: registry.at(location_named("meeting"), now=START)] * THREADS)
        assert len(set(made)) == 1
        assert len(registry.all()) == 2

    def test_a_project_is_imported_unchanged(self, project: ProjectFixture) -> None:
        """Fails if an imported project gets a new id or loses a field.

        Also fails if an imported project stays marked as merged into a project that is missing in this storage.
        """
        registry = project.storage.registry
        given = Project(
            id="app-0123456789",
            name="app",
            aliases=("git:/home/ada/app/.git", "repository:any"),
            created_at=START - MINUTE + MICROSECOND,
            moved_to="another-0123456789",
        )
        kept = evolve(given, moved_to=None)
        assert registry.upsert(given) == kept
        assert [registry.named(each) for each in (given.id, given.name, *given.aliases)] == [kept] * 4
        assert set(registry.all()) == {kept, project.registered}
        saved = project.storage.observations(given.id).add(Draft(content="zebra"), id=UUID(int=1), now=START)
        assert saved.added is Added.NEW


class ScopeClauses:
    """An opened project, called a scope, reads and writes only its own memories."""

    def test_an_unknown_project_is_refused(self, project: ProjectFixture) -> None:
        """Fails if any id can be opened as a project, so that a misspelt id collects unreachable memories."""
        storage = project.storage
        scopes: list[tuple[Callable[[str], object], Capability | None]] = [
            (storage.observations, None),
            (storage.search, None),
            (storage.conversations, Capability.CONVERSATIONS),
            (storage.ledger, Capability.LEDGER),
            (storage.activity, Capability.ACTIVITY),
            (storage.audit, Capability.AUDIT),
            (partial(storage.vectors, model=MODEL), Capability.VECTORS),
        ]
        if Capability.FEED in storage.capabilities:
            scopes.append((partial(storage.feed.after, mark=Mark(), limit=1), None))
        for opened, capability in scopes:
            if capability is None or capability in storage.capabilities:
                with pytest.raises(UnknownProjectError):
                    opened("no-such-project")

    def test_scopes_of_one_project_share_its_memories(self, project: ProjectFixture) -> None:
        """Fails if an open project misses changes made through another object for the same project.

        A likely cause is a cache in each object.
        """
        one, two = project.observations, project.observations
        saved = one.add(Draft(content="shared"), id=project.new_id(), now=START).observation
        assert (one.get_all([saved.id]), two.get_all([saved.id])) == ({saved.id: saved}, {saved.id: saved})
        two.purge([saved.id], by=signed(START))
        assert one.get_all([saved.id])[saved.id].purged


def clone_on(machine: str, repository: str | None = None) -> Location:
    """Return the location of a clone on a machine. The folder is the same on all machines."""
    return evolve(location_named("app", key=f"machine:{machine}:git:/home/dev/app/.git"), repository=repository)


@every_clause_needs(Capability.SHARED)
class SharingClauses:
    """A project is the same on all machines, and distinct from every other project."""

    def test_a_remote_that_comes_later_is_an_alias(self, project: ProjectFixture) -> None:
        """Fails if adding a remote to a repository loses its earlier memories.

        Also fails if other clones of the repository don't find these memories.
        """
        registry = project.storage.registry
        made = registry.at(clone_on("laptop"), now=START)
        assert registry.living_at(clone_on("laptop", UPSTREAM)) == made
        assert registry.living_at(clone_on("desktop", UPSTREAM)) is None
        known = registry.at(clone_on("laptop", UPSTREAM), now=START)
        assert known == evolve(made, aliases=known.aliases)
        assert set(known.aliases) == {clone_on("laptop").key, UPSTREAM}
        everywhere = [clone_on("laptop"), clone_on("laptop", UPSTREAM), clone_on("desktop", UPSTREAM)]
        assert [registry.living_at(each) for each in everywhere] == [known] * 3

    def test_clones_that_meet_make_one_project(self, project: ProjectFixture) -> None:
        """Fails if machines that save simultaneously in clones of a new repository create several projects.

        Aliases of repositories must be unique, not only keys of locations.
        """
        registry = project.storage.registry
        clones = [clone_on(f"machine-{number}", UPSTREAM) for number in range(THREADS)]
        made = at_once([partial(registry.at, each, now=START) for each in clones])
        assert len(set(made)) == 1
        assert set(registry.all()) == {made[0], project.registered}
