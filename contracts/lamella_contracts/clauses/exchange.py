"""Clauses on exchange with another storage."""

from typing import Any

from attrs import evolve

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.transactions.importing import ImportResult
from lamella_contracts.fixtures.project import LATER, MICROSECOND, MINUTE, START, ProjectFixture


def from_elsewhere(project: ProjectFixture, content: str, *, number: int = 0, **fields: Any) -> Observation:
    """Return an observation as another storage exports it, for import into `project`."""
    at = START + MINUTE * number + MICROSECOND
    made = Draft(content=content).observed(id=project.new_id(), project=project.id, sequence=7, now=at)
    return evolve(made, origin="elsewhere", **fields)


def inserted(project: ProjectFixture, *observations: Observation) -> list[Observation]:
    """Import observations without request ids, and return them as stored."""
    outcomes = project.observations.insert_new([Arrival(observation=each) for each in observations])
    assert outcomes == (ImportResult.NEW,) * len(observations)
    return [project.get(each) for each in observations]


class ImportClauses:
    """Imported memories stay unchanged."""

    def test_pages_hold_everything_in_order(self, project: ProjectFixture) -> None:
        """Fails if pages omit purged observations or request ids.

        Also fails if pages overlap, exceed the limit, or aren't sorted by sequence.
        """
        project.save("zero", request="call-0")
        project.purge(project.save("one"))
        (two,) = inserted(project, from_elsewhere(project, "two", occurred_at=START - MINUTE))
        project.observations.insert_new([Arrival(observation=from_elsewhere(project, "three"), request="call-3")])
        whole = project.observations.page(limit=10)
        assert isinstance(whole, tuple)
        assert [each.observation for each in whole] == [project.get(each.observation) for each in whole]
        said = [(each.observation.content, each.request) for each in whole]
        assert said == [("zero", "call-0"), ("one", None), ("two", None), ("three", "call-3")]
        assert project.observations.page(after=two.sequence, limit=1) == whole[3:]
        assert project.observations.page(limit=2) == whole[:2]
        assert project.observations.page(after=whole[-1].observation.sequence, limit=2) == ()

    def test_imported_memories_are_found(self, project: ProjectFixture) -> None:
        """Fails if an imported memory isn't indexed, or if a purged memory is indexed as live.

        Also fails if an imported memory's text isn't indexed with the memories that follow in the same session.
        """
        project.refer("after", now=LATER)
        assert project.leaning_on("zebra") == set()
        inserted(
            project,
            from_elsewhere(project, "zebra first", session="s"),
            from_elsewhere(project, "it was that follower second", session="s", number=1),
            from_elsewhere(project, "zebra gone", purged_at=LATER),
        )
        assert project.contents("zebra") == ["zebra first"]
        assert set(project.contents("zebra", include_purged=True)) == {"zebra first", "zebra gone"}
        assert project.leaning_on("zebra") == {"after", "second"}
