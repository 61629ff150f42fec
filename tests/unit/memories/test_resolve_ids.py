from uuid import UUID

from lamella.application.memories.resolve_ids import resolve
from lamella.domain.memories.errors import Candidate
from lamella.domain.memories.given_ids import Resolved
from lamella.domain.memories.observation import Observation
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import numbered


def found(desk: Desk, *given: str) -> dict[str, Observation]:
    """Return the observations that are found, by the id that was given."""
    resolved = resolve(given, desk.observations)
    assert (resolved.missing, resolved.ambiguous) == ([], {})
    return {each: hit.observation for each, hit in resolved.found.items()}


def test_ids_are_found_in_the_order_given_each_once() -> None:
    desk = Desk()
    one, two = desk.save("one"), desk.save("two")
    given = [str(two.id), one.id.hex, f" {two.id} ", "00000002", "00000002"]
    assert found(desk, *given) == {str(two.id): two, one.id.hex: one}


def test_what_no_observation_has_is_missing_in_order_each_once() -> None:
    desk = Desk()
    desk.save("one")
    given = ["zebra", str(numbered(9)), "000", "", "zebra"]
    assert resolve(given, desk.observations) == Resolved(missing=["zebra", str(numbered(9)), "000", ""])


def test_a_beginning_of_several_lists_them_in_order_with_titles() -> None:
    desk = Desk()
    desk.ids.first = [UUID(f"0123abcd-000{number}-4000-8000-000000000000") for number in (2, 1)]
    desk.save("one", title="Second")
    desk.save("two", title="First")
    candidates = (Candidate(id="0123abcd0001", title="First"), Candidate(id="0123abcd0002", title="Second"))
    assert resolve(["0123abcd"], desk.observations) == Resolved(ambiguous={"0123abcd": candidates})


def test_no_more_than_five_are_listed() -> None:
    desk = Desk()
    for number in range(7):
        desk.save(f"text {number}")
    (candidates,) = resolve(["0000"], desk.observations).ambiguous.values()
    assert [each.id for each in candidates] == [f"0000000{number}" for number in range(1, 6)]


def test_printed_short_ids_are_found_even_where_eight_characters_are_not_unique() -> None:
    desk = Desk()
    desk.ids.first = [UUID(f"0123abcd-000{number}-4000-8000-000000000000") for number in (1, 2)]
    saved = [desk.save("one"), desk.save("two")]
    short = [hit.short_id for hit in desk.observations.starting_with(["0123"], limit=5)["0123"]]
    assert found(desk, *short) == dict(zip(short, saved, strict=True))
