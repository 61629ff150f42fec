"""Clauses on keeping the projects of a storage apart."""

import pytest

from lamella.domain.errors import ObservationNotFoundError, UnknownProjectError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, StatusChange
from lamella_contracts.clauses.memories.looking_up import HIGH, MIDDLE
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook


class ScopeClauses:
    """A project's scope reads and writes its own memories only."""

    def test_an_unknown_project_is_refused(self, notebook: Notebook) -> None:
        """A scope is opened for any name, and a misspelt project collects memories that nobody finds."""
        with pytest.raises(UnknownProjectError):
            notebook.storage.observations("no-such-project")
        with pytest.raises(UnknownProjectError):
            notebook.storage.search("no-such-project")

    def test_scopes_of_one_project_share_its_memories(self, notebook: Notebook) -> None:
        """Each scope that is opened keeps what it has read to itself."""
        one, two = notebook.observations, notebook.observations
        saved = one.add(Draft(content="shared"), id=notebook.new_id(), now=DAWN).observation
        assert (one.get(saved.id), two.get(saved.id)) == (saved, saved)
        two.purge([saved.id], now=DAWN)
        assert one.get(saved.id).purged

    def test_projects_may_say_the_same(self, notebook: Notebook) -> None:
        """Fingerprints or requests are unique in the storage, and another project's memory answers."""
        there = notebook.elsewhere("there")
        notebook.save("said", request="call-1")
        assert there.add(Draft(content="said", request="call-1")).added is Added.NEW
        assert there.add(Draft(content="said")).observation.project == there.project.id

    def test_ids_of_another_project_are_unknown(self, notebook: Notebook) -> None:
        """A look-up by id leaves the project out, so that an id reads another project's memory."""
        there = notebook.elsewhere("there")
        foreign = there.save("theirs", id=HIGH)
        with pytest.raises(ObservationNotFoundError):
            notebook.get(foreign)
        assert notebook.observations.starting_with("abcd", limit=10) == ()

    def test_changes_stay_in_their_project(self, notebook: Notebook) -> None:
        """A purge or restore by id leaves the project out, so that it changes another project's memory."""
        there = notebook.elsewhere("there")
        live, purged = there.save("live"), there.save("purged")
        there.purge(purged)
        assert notebook.purge(live) == (StatusChange.NOT_FOUND,)
        assert notebook.restore(purged) == (StatusChange.NOT_FOUND,)
        assert (there.get(live).purged, there.get(purged).purged) == (False, True)

    def test_short_ids_are_short_for_their_project(self, notebook: Notebook) -> None:
        """Ids of other projects make short ids longer than they need to be."""
        notebook.elsewhere("there").save("theirs", id=HIGH)
        ours = notebook.save("ours", id=MIDDLE)
        assert notebook.observations.short_ids([ours.id]) == ("abcd1234",)

    def test_each_project_counts_for_itself(self, notebook: Notebook) -> None:
        """Sequence numbers, moments or counts are those of the whole storage."""
        there = notebook.elsewhere("there")
        there.save("theirs", now=DAWN + MINUTE)
        ours = notebook.save("ours", now=DAWN)
        assert (ours.sequence, ours.occurred_at) == (1, DAWN)
        assert notebook.search.count(include_purged=True) == 1
