"""Clauses on the memories before and after a moment."""

from datetime import datetime

import pytest

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Match
from lamella_contracts.clauses.memories.looking_up import UNKNOWN
from lamella_contracts.fixtures.project import MICROSECOND, MINUTE, START, ZONES, ProjectFixture


def sides(
    project: ProjectFixture,
    anchor: Observation | datetime,
    *,
    before: int = 9,
    after: int = 9,
    session: str | None = None,
    include_purged: bool = False,
) -> tuple[list[str], str | None, list[str], tuple[int, int]]:
    """Return the contents before, at and after `anchor`, and the totals of both sides."""
    at = anchor.id if isinstance(anchor, Observation) else anchor
    found = project.search.around(at, before=before, after=after, session=session, include_purged=include_purged)
    return (
        [hit.observation.content for hit in found.before],
        None if found.centre is None else found.centre.observation.content,
        [hit.observation.content for hit in found.after],
        (found.total_before, found.total_after),
    )


class TimelineClauses:
    """A timeline has the observations before and after an anchor: a time or an observation."""

    def test_around_a_moment_are_the_nearest_of_each_side(self, project: ProjectFixture) -> None:
        """A side has the farthest or is newest first, a total counts shown hits, or a moment loses its zone."""
        for number in range(7):
            project.save(f"memory {number}", session=None if number % 2 else "s", now=START + number * MICROSECOND)
        for zone in ZONES:
            moment = (START + 3 * MICROSECOND).astimezone(zone)
            around = (["memory 2", "memory 3"], None, ["memory 4"], (4, 3))
            assert sides(project, moment, before=2, after=1) == around
            assert sides(project, moment, before=1, after=0) == (["memory 3"], None, [], (4, 3))
        assert sides(project, START - MINUTE, after=2) == ([], None, ["memory 0", "memory 1"], (0, 7))

    def test_around_is_ordered_by_moment_and_sequence(self, project: ProjectFixture) -> None:
        """With the clock set back, the order is by `created_at` or id; or the centre is marked as a neighbour."""
        saved = [project.save(f"memory {number}", now=START - number * MINUTE) for number in range(5)]
        around = (["memory 0", "memory 1"], "memory 2", ["memory 3", "memory 4"], (2, 2))
        assert sides(project, saved[2]) == around
        found = project.search.around(saved[0].id, before=1, after=1)
        assert found.centre is not None
        assert [hit.match for hit in (found.centre, *found.after)] == [Match.ID, Match.NEIGHBOUR]

    def test_around_within_a_session_others_are_left_out(self, project: ProjectFixture) -> None:
        """Other sessions are shown or counted, or an anchor of another session is refused or hidden."""
        saved = [project.save(f"{session} {number}", session=session) for number in range(3) for session in "st"]
        assert sides(project, saved[2], session="s") == (["s 0"], "s 1", ["s 2"], (1, 1))
        assert sides(project, saved[2], session="t") == (["t 0"], "s 1", ["t 1", "t 2"], (1, 2))
        assert sides(project, START + 9 * MINUTE, session="s") == (["s 0", "s 1", "s 2"], None, [], (3, 0))
        assert sides(project, START, session="\ud800") == ([], None, [], (0, 0))

    def test_purged_ones_are_not_around(self, project: ProjectFixture) -> None:
        """Purged rows are shown or counted, or are hidden on request or as anchor."""
        saved = [project.save(f"memory {number}", session="s") for number in range(4)]
        project.purge(saved[0], saved[2])
        for session in (None, "s"):
            assert sides(project, saved[3], session=session) == (["memory 1"], "memory 3", [], (1, 0))
            every = [f"memory {number}" for number in range(3)]
            asked = sides(project, saved[3], session=session, include_purged=True)
            assert asked == (every, "memory 3", [], (3, 0))
        assert sides(project, saved[2], session="s") == (["memory 1"], "memory 2", ["memory 3"], (1, 1))

    def test_around_nothing_is_an_error(self, project: ProjectFixture) -> None:
        """An unknown id has no neighbours, instead of raising an error."""
        with pytest.raises(ObservationNotFoundError):
            project.search.around(UNKNOWN, before=1, after=1)
