"""Clauses on finding observations by id."""

from uuid import UUID

import pytest

from lamella.domain.errors import ObservationNotFoundError
from lamella_contracts.fixtures.project import ProjectFixture

UNKNOWN = UUID("00000000-0000-4000-8000-000000000000")

LOW = UUID("abcd1200-0000-4000-8000-000000000001")
MIDDLE = UUID("abcd1234-5600-4000-8000-000000000002")
HIGH = UUID("abcd1234-5678-4000-8000-000000000003")
LAST = UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")


class LookUpClauses:
    """Observations are found by id and by the first digits of an id."""

    def test_an_unknown_id_is_an_error_that_names_it(self, project: ProjectFixture) -> None:
        """`get` returns None or lets a KeyError out."""
        with pytest.raises(ObservationNotFoundError) as raised:
            project.observations.get(UNKNOWN)
        assert raised.value.id == str(UNKNOWN)

    def test_a_beginning_of_any_length_finds_its_ids(self, project: ProjectFixture) -> None:
        """Beginnings are compared in bytes, which an odd number of digits is not, with hyphens, or never empty."""
        for number, id in enumerate((LOW, MIDDLE, HIGH)):
            project.save(f"memory {number}", id=id)
        found = {
            length: [each.id for each in project.observations.starting_with(HIGH.hex[:length], limit=10)]
            for length in range(33)
        }
        assert found == {
            length: [LOW, MIDDLE, HIGH] if length <= 6 else [MIDDLE, HIGH] if length <= 10 else [HIGH]
            for length in range(33)
        }

    def test_the_last_ids_are_found_by_their_beginning(self, project: ProjectFixture) -> None:
        """The end of the range of ids is the beginning plus one, which `ffff` has not."""
        saved = project.save("the last id there is", id=LAST)
        found = [project.observations.starting_with("f" * length, limit=10) for length in (4, 5, 8, 11, 12)]
        assert found == [(saved,)] * 5

    def test_a_beginning_finds_purged_ones_too(self, project: ProjectFixture) -> None:
        """Purged observations can't be looked up by a short id, so that nobody can restore them."""
        saved = project.save("memory", id=LOW)
        project.purge(saved)
        assert project.observations.starting_with("abcd", limit=10) == (project.get(saved),)

    def test_beginnings_are_answered_in_order_of_id(self, project: ProjectFixture) -> None:
        """The order is that of saving, or the limit was applied before there was an order."""
        for id in (HIGH, LOW, MIDDLE):
            project.save(f"memory {id}", id=id)
        found = [project.observations.starting_with("abcd", limit=limit) for limit in (1, 2, 10)]
        assert [[each.id for each in answer] for answer in found] == [
            [LOW],
            [LOW, MIDDLE],
            [LOW, MIDDLE, HIGH],
        ]

    def test_a_beginning_of_nothing_finds_nothing(self, project: ProjectFixture) -> None:
        """An id is found by digits in its middle, or an empty answer is an error."""
        project.save("memory", id=MIDDLE)
        assert project.observations.starting_with("1234", limit=10) == ()

    def test_short_ids_have_eight_digits(self, project: ProjectFixture) -> None:
        """Short ids have another length, hyphens or capitals."""
        saved = project.save("memory")
        assert project.observations.short_ids([saved.id]) == (saved.id.hex[:8],)

    def test_short_ids_grow_until_they_are_unique(self, project: ProjectFixture) -> None:
        """Short ids have a fixed length, and the one that is printed means two observations."""
        ids = (LOW, MIDDLE, HIGH)
        for id in ids:
            project.save(f"memory {id}", id=id)
        # The second and third share ten digits: abcd1234 56.
        assert project.observations.short_ids(ids) == ("abcd1200", "abcd1234560", "abcd1234567")

    def test_short_ids_differ_from_purged_ones(self, project: ProjectFixture) -> None:
        """Only live observations are asked whether a short id is unique, but a restore uses it for purged ones."""
        project.save("live", id=MIDDLE)
        project.purge(project.save("purged", id=HIGH))
        assert project.observations.short_ids([MIDDLE]) == (MIDDLE.hex[:11],)

    def test_short_ids_are_answered_as_asked(self, project: ProjectFixture) -> None:
        """The answer is sorted, or leaves repeats out."""
        one, two = project.save("one"), project.save("two")
        asked = [two.id, one.id, two.id]
        assert project.observations.short_ids(asked) == tuple(id.hex[:8] for id in asked)
        assert project.observations.short_ids([]) == ()
