"""Clauses on the neighbours of an observation."""

import pytest

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Match
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.fixtures.project import MINUTE, START, ProjectFixture


def around(
    project: ProjectFixture, centre: Observation, *, each_side: int = 2, include_purged: bool = False
) -> list[str]:
    """Return the contents of the neighbourhood of `centre`."""
    found = project.search.neighbourhood(centre.id, each_side=each_side, include_purged=include_purged)
    return [hit.observation.content for hit in found]


class NeighbourhoodClauses:
    """A neighbourhood has the observations before and after one in its session."""

    def test_a_neighbourhood_is_of_the_session(self, project: ProjectFixture) -> None:
        """Observations of other sessions stand between, newest come first, or `each_side` counts both sides."""
        saved = {}
        for number in range(7):
            saved[number] = project.save(f"s {number}", session="s")
            project.save(f"t {number}", session="t")
            project.save(f"none {number}")
        assert around(project, saved[3]) == ["s 1", "s 2", "s 3", "s 4", "s 5"]

    def test_without_a_session_it_is_of_the_project(self, project: ProjectFixture) -> None:
        """Without a session there is no neighbour, or only others without one."""
        project.save("before", session="s")
        centre = project.save("centre")
        project.save("after", session="t")
        assert around(project, centre) == ["before", "centre", "after"]

    def test_a_neighbourhood_ends_where_the_session_ends(self, project: ProjectFixture) -> None:
        """At an end of the session the window is shifted or wraps around."""
        every = ["one", "two", "three", "four", "five"]
        saved = [project.save(each, session="s") for each in every]
        assert around(project, saved[0], each_side=1) == ["one", "two"]
        assert around(project, saved[4], each_side=1) == ["four", "five"]
        assert around(project, saved[1], each_side=9) == every
        assert around(project, saved[4], each_side=0) == ["five"]

    def test_purged_neighbours_are_left_out(self, project: ProjectFixture) -> None:
        """Purged neighbours are shown, or leave a gap; or the one that is asked for is left out itself."""
        saved = [project.save(each, session="s") for each in ("one", "two", "three", "four")]
        project.purge(saved[1], saved[2])
        assert around(project, saved[3], each_side=1) == ["one", "four"]
        assert around(project, saved[1], each_side=1) == ["one", "two", "four"]

    def test_purged_neighbours_are_shown_when_asked_for(self, project: ProjectFixture) -> None:
        """`include_purged` changes nothing here."""
        saved = [project.save(each, session="s") for each in ("one", "two", "three")]
        project.purge(saved[1])
        assert around(project, saved[2], include_purged=True) == ["one", "two", "three"]

    def test_neighbours_are_ordered_by_moment_and_sequence(self, project: ProjectFixture) -> None:
        """The clock was set back, and neighbours are ordered by `created_at` or id."""
        saved = [project.save(f"memory {number}", session="s", now=START - number * MINUTE) for number in range(6)]
        assert around(project, saved[3]) == [f"memory {number}" for number in range(1, 6)]

    def test_neighbours_are_told_from_their_centre(self, project: ProjectFixture) -> None:
        """All have the same reason, or none says that it is the one that was asked for."""
        saved = [project.save(each, session="s") for each in ("one", "two", "three")]
        hits = project.search.neighbourhood(saved[1].id, each_side=1)
        assert [hit.match for hit in hits] == [Match.NEIGHBOUR, Match.ID, Match.NEIGHBOUR]

    def test_the_neighbourhood_of_nothing_is_an_error(self, project: ProjectFixture) -> None:
        """An unknown id has an empty neighbourhood."""
        with pytest.raises(ObservationNotFoundError):
            project.search.neighbourhood(UNKNOWN, each_side=2)
