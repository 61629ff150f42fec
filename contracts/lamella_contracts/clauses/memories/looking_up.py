"""Clauses on finding observations by id."""

from uuid import UUID

from lamella.domain.memories.query import Match
from lamella_contracts.fixtures.project import START, ProjectFixture

UNKNOWN = UUID("00000000-0000-4000-8000-000000000000")

LOW = UUID("abcd1200-0000-4000-8000-000000000001")
MIDDLE = UUID("abcd1234-5600-4000-8000-000000000002")
HIGH = UUID("abcd1234-5678-4000-8000-000000000003")
BESIDE = UUID("abcd1200-1000-4000-8000-000000000004")
LAST = UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")


class LookUpClauses:
    """Observations are found by id and by the first digits of an id."""

    def test_unknown_ids_are_left_out(self, project: ProjectFixture) -> None:
        """An id that no observation has raises an error, or has None or the one beside it for an answer."""
        saved = project.save("memory")
        assert project.observations.get_all([UNKNOWN, saved.id]) == {saved.id: saved}
        assert project.observations.get_all([]) == {}

    def test_ids_are_answered_in_their_order(self, project: ProjectFixture) -> None:
        """The answer is in the order of saving or of id, or has purged ones last."""
        one, two, three = (project.save(each) for each in ("one", "two", "three"))
        project.purge(one)
        asked = [three.id, one.id, two.id]
        assert [*project.observations.get_all(asked)] == asked

    def test_a_beginning_of_any_length_finds_its_ids(self, project: ProjectFixture) -> None:
        """Beginnings are compared in bytes, which an odd number of digits is not, with hyphens, or never empty."""
        for number, id in enumerate((LOW, MIDDLE, HIGH)):
            project.save(f"memory {number}", id=id)
        found = {length: [each.id for each in project.starting_with(HIGH.hex[:length])] for length in range(33)}
        assert found == {
            length: [LOW, MIDDLE, HIGH] if length <= 6 else [MIDDLE, HIGH] if length <= 10 else [HIGH]
            for length in range(33)
        }

    def test_the_last_ids_are_found_by_their_beginning(self, project: ProjectFixture) -> None:
        """The end of the range of ids is the beginning plus one, which `ffff` has not."""
        saved = project.save("the last id there is", id=LAST)
        assert [project.starting_with("f" * length) for length in (4, 5, 8, 11, 12)] == [[saved]] * 5

    def test_a_beginning_finds_purged_ones_too(self, project: ProjectFixture) -> None:
        """Purged observations can't be looked up by a short id, so that nobody can restore them."""
        saved = project.save("memory", id=LOW)
        project.purge(saved)
        assert project.starting_with("abcd") == [project.get(saved)]

    def test_beginnings_are_answered_in_order_of_id(self, project: ProjectFixture) -> None:
        """The order is that of saving, or the limit was applied before there was an order."""
        for id in (HIGH, LOW, MIDDLE):
            project.save(f"memory {id}", id=id)
        found = [project.starting_with("abcd", limit=limit) for limit in (1, 2, 10)]
        assert [[each.id for each in answer] for answer in found] == [
            [LOW],
            [LOW, MIDDLE],
            [LOW, MIDDLE, HIGH],
        ]

    def test_a_beginning_of_nothing_finds_nothing(self, project: ProjectFixture) -> None:
        """An id is found by digits in its middle, or an empty answer is an error."""
        project.save("memory", id=MIDDLE)
        assert project.starting_with("1234") == []

    def test_beginnings_are_looked_up_together(self, project: ProjectFixture) -> None:
        """One limit is for all beginnings, what two of them find is told once, or one of nothing is left out."""
        for id in (LOW, MIDDLE, HIGH):
            project.save(f"memory {id}", id=id)
        found = project.observations.starting_with(["abcd", "dead", "abcd1234"], limit=2)
        assert {prefix: [hit.observation.id for hit in hits] for prefix, hits in found.items()} == {
            "abcd": [LOW, MIDDLE],
            "dead": [],
            "abcd1234": [MIDDLE, HIGH],
        }
        assert {hit.match for hits in found.values() for hit in hits} == {Match.ID}
        assert project.observations.starting_with([], limit=2) == {}

    def test_short_ids_have_eight_digits(self, project: ProjectFixture) -> None:
        """Short ids have another length, hyphens or capitals."""
        saved = project.save("memory")
        assert project.short_ids() == [saved.id.hex[:8]]

    def test_short_ids_grow_until_they_are_unique(self, project: ProjectFixture) -> None:
        """Short ids have a fixed length, and the one that is printed means two observations."""
        for id in (LOW, MIDDLE, HIGH):
            project.save(f"memory {id}", id=id)
        # The second and third share ten digits: abcd1234 56.
        assert project.short_ids() == ["abcd1200", "abcd1234560", "abcd1234567"]
        assert project.short_ids(MIDDLE.hex) == ["abcd1234560"]

    def test_short_ids_differ_from_purged_ones(self, project: ProjectFixture) -> None:
        """Only live observations are asked whether a short id is unique, but a restore uses it for others."""
        live = project.insert("live", id=MIDDLE)
        project.insert("purged", id=LOW, purged_at=START)
        project.insert("replaced", id=HIGH, purged_at=START, replaced_by=live.id)
        assert project.short_ids(MIDDLE.hex) == [MIDDLE.hex[:11]]
        beside = project.insert("beside", id=BESIDE)
        assert project.short_ids(beside.id.hex) == [BESIDE.hex[:9]]
