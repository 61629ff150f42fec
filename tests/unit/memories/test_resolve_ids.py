from uuid import UUID

from lamella.application.memories.resolve_ids import resolve
from lamella.domain.memories.observation import Observation
from tests.unit.support.doubles import Desk


def found(desk: Desk, *given: str) -> dict[str, Observation]:
    """Return the observations that are found, by the id that was given."""
    resolved = resolve(given, desk.observations)
    assert (resolved.missing, resolved.ambiguous) == ([], {})
    return {each: hit.observation for each, hit in resolved.found.items()}


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
