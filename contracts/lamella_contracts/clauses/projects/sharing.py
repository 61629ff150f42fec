"""Clauses on projects shared by several machines."""

from functools import partial

from attrs import evolve

from lamella.domain.projects.project import Location
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.project import START, ProjectFixture, location_named

UPSTREAM, FORK = (f"repository:{'0' * 40}:example.org/{owner}/app" for owner in ("ada", "fork"))
"""Aliases of a repository and of its fork, with the same first commit."""


def clone_on(machine: str, repository: str | None = None) -> Location:
    """Return the place of a repository on a machine; all machines have it in the same folder."""
    return evolve(location_named("app", key=f"machine:{machine}:git:/home/dev/app/.git"), repository=repository)


@every_clause_needs(Capability.SHARED)
class SharingClauses:
    """A project is the same on all machines, and no other is taken for it."""

    def test_a_remote_that_comes_later_is_an_alias(self, project: ProjectFixture) -> None:
        """Adding a remote loses earlier memories, or clones of the repository don't find them."""
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
        """Only keys are unique: machines saving simultaneously in a new repository make a project each."""
        registry = project.storage.registry
        clones = [clone_on(f"machine-{number}", UPSTREAM) for number in range(THREADS)]
        made = at_once([partial(registry.at, each, now=START) for each in clones])
        assert len(set(made)) == 1
        assert set(registry.all()) == {made[0], project.registered}
