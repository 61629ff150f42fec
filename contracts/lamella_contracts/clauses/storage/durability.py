"""Clauses on closing a storage and opening it again."""

from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, Saved
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.memories.adding import CHANGES
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import DAWN, Notebook, place


class DurabilityClauses:
    """Saved observations survive a restart."""

    @needs(Capability.DURABLE)
    def test_memories_survive_a_restart(self, notebook: Notebook) -> None:
        """A save is only in memory, or in a transaction that nobody commits."""
        live = notebook.save("live", title="t", session="s", changes=CHANGES)
        purged = notebook.save("purged")
        notebook.purge(purged)
        before = [notebook.get(each) for each in (live, purged)]
        again = notebook.reopened()
        assert [again.get(each) for each in (live, purged)] == before

    @needs(Capability.DURABLE)
    def test_search_survives_a_restart(self, notebook: Notebook) -> None:
        """The index or its statistics are built in memory and not built again."""
        for content in ("zebra crossing", "zebra", "horse"):
            notebook.save(content, session="s")
        notebook.purge(notebook.save("purged zebra", session="s"))
        before = notebook.find("zebra", include_purged=True)
        assert notebook.reopened().find("zebra", include_purged=True) == before

    @needs(Capability.DURABLE)
    def test_counting_survives_a_restart(self, notebook: Notebook) -> None:
        """Sequence numbers or moments begin anew after a restart."""
        notebook.save("one")
        last = notebook.save("two")
        again = notebook.reopened().save("three", id=notebook.new_id(), now=DAWN)
        assert (again.sequence, again.occurred_at) == (3, last.occurred_at)

    @needs(Capability.DURABLE)
    def test_requests_survive_a_restart(self, notebook: Notebook) -> None:
        """Requests are remembered by the process only, and a retry after a crash saves twice."""
        first = notebook.save("said", request="call-1")
        notebook.purge(first)
        purged = notebook.get(first)
        again = notebook.reopened()
        assert again.add(Draft(content="said", request="call-1")) == Saved(purged, Added.RETRY)

    @needs(Capability.DURABLE)
    def test_projects_survive_a_restart(self, notebook: Notebook) -> None:
        """The registry is in memory, or is made anew from what is in the folder."""
        notebook.elsewhere("there")
        before = notebook.storage.registry.all()
        again = notebook.reopened()
        assert again.storage.registry.all() == before
        assert again.storage.registry.at(place("there"), now=DAWN) in before
