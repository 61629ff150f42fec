"""Clauses on keeping the projects of a storage apart."""

import pytest

from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added, StatusChange
from lamella_contracts.clauses.memories.looking_up import HIGH, MIDDLE
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture, signed


class ScopeClauses:
    """A project's scope reads and writes its own memories only."""

    def test_an_unknown_project_is_refused(self, project: ProjectFixture) -> None:
        """A scope is opened for any name, and a misspelt project collects memories that nobody finds."""
        with pytest.raises(UnknownProjectError):
            project.storage.observations("no-such-project")
        with pytest.raises(UnknownProjectError):
            project.storage.search("no-such-project")

    def test_scopes_of_one_project_share_its_memories(self, project: ProjectFixture) -> None:
        """Each scope that is opened keeps what it has read to itself."""
        one, two = project.observations, project.observations
        saved = one.add(Draft(content="shared"), id=project.new_id(), now=START).observation
        assert (one.get_all([saved.id]), two.get_all([saved.id])) == ({saved.id: saved}, {saved.id: saved})
        two.purge([saved.id], by=signed(START))
        assert one.get_all([saved.id])[saved.id].purged

    def test_projects_may_say_the_same(self, project: ProjectFixture) -> None:
        """Fingerprints or requests are unique in the storage, and another project's memory answers."""
        there = project.other("there")
        project.save("said", request="call-1")
        assert there.add(Draft(content="said", request="call-1")).added is Added.NEW
        assert there.add(Draft(content="said")).observation.project == there.id

    def test_ids_of_another_project_are_unknown(self, project: ProjectFixture) -> None:
        """A look-up by id leaves the project out, so that an id reads another project's memory."""
        there = project.other("there")
        foreign = there.save("theirs", id=HIGH)
        assert (project.knows(foreign), project.starting_with("abcd")) == (False, [])

    def test_changes_stay_in_their_project(self, project: ProjectFixture) -> None:
        """A purge or restore by id leaves the project out, so that it changes another project's memory."""
        there = project.other("there")
        live, purged = there.save("live"), there.save("purged")
        there.purge(purged)
        assert project.purge(live) == (StatusChange.NOT_FOUND,)
        assert project.restore(purged) == (StatusChange.NOT_FOUND,)
        assert (there.get(live).purged, there.get(purged).purged) == (False, True)

    def test_short_ids_are_short_for_their_project(self, project: ProjectFixture) -> None:
        """Ids of other projects make short ids longer than they need to be."""
        project.other("there").save("theirs", id=HIGH)
        project.save("ours", id=MIDDLE)
        assert project.short_ids() == ["abcd1234"]

    def test_each_project_counts_for_itself(self, project: ProjectFixture) -> None:
        """Moments or counts are those of the whole storage."""
        there = project.other("there")
        there.save("theirs", now=START + MINUTE)
        ours = project.save("ours", now=START)
        assert ours.occurred_at == START
        assert project.search.count(include_purged=True) == 1
