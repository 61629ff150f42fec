"""Clauses on closing a storage and opening it again."""

from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, Saved
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.adding import CHANGES
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, location_named


class DurabilityClauses:
    """Saved observations survive a restart."""

    @needs(Capability.DURABLE)
    def test_memories_survive_a_restart(self, project: ProjectFixture) -> None:
        """A save is only in memory, or in a transaction that nobody commits."""
        live = project.save("live", title="t", session="s", changes=CHANGES)
        purged = project.save("purged")
        project.purge(purged)
        before = [project.get(each) for each in (live, purged)]
        again = project.reopened()
        assert [again.get(each) for each in (live, purged)] == before

    @needs(Capability.DURABLE)
    def test_search_survives_a_restart(self, project: ProjectFixture) -> None:
        """The index or its statistics are built in memory and not built again."""
        for content in ("zebra crossing", "zebra", "horse"):
            project.save(content, session="s")
        project.purge(project.save("purged zebra", session="s"))
        before = project.find("zebra", include_purged=True)
        assert project.reopened().find("zebra", include_purged=True) == before

    @needs(Capability.DURABLE)
    def test_counting_survives_a_restart(self, project: ProjectFixture) -> None:
        """Sequence numbers or moments begin anew after a restart."""
        project.save("one")
        last = project.save("two")
        again = project.reopened().save("three", id=project.new_id(), now=START)
        assert again.sequence > last.sequence
        assert again.occurred_at == last.occurred_at

    @needs(Capability.DURABLE)
    def test_requests_survive_a_restart(self, project: ProjectFixture) -> None:
        """Requests are remembered by the process only, and a retry after a crash saves twice."""
        first = project.save("said", request="call-1")
        project.purge(first)
        purged = project.get(first)
        again = project.reopened()
        assert again.add(Draft(content="said", request="call-1")) == Saved(purged, Added.RETRY)

    @needs(Capability.DURABLE)
    def test_projects_survive_a_restart(self, project: ProjectFixture) -> None:
        """The registry is in memory, or is made anew from what is in the folder."""
        project.other("there")
        before = project.storage.registry.all()
        again = project.reopened()
        assert again.storage.registry.all() == before
        assert again.storage.registry.at(location_named("there"), now=START) in before
