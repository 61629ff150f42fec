from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.application.memories.timeline import TimelineRequest
from lamella.domain.errors import InvalidValueError, UnknownProjectError
from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.timeline import Surroundings
from tests.unit.support.doubles import CALL, Desk, desk_with
from tests.unit.support.stand_ins import DAWN, numbered


def contents(around: Surroundings) -> list[str]:
    return [each.content for each in around.shown]


def at(minute: float) -> datetime:
    return DAWN + timedelta(minutes=minute)


def test_without_an_anchor_it_ends_now() -> None:
    desk = desk_with(*"abcdefg")
    around = desk.timeline(desk.call, TimelineRequest())
    assert (around.anchor, around.centre, contents(around)) == (at(7), None, list("cdefg"))
    assert (around.total_before, around.total_after, around.has_more) == (7, 0, True)


@pytest.mark.parametrize(
    "anchor",
    ["2024-05-06T07:10:39Z", "2024-05-06T07:10:39", "2024-05-06 09:10:39+02:00", "20240506T071039"],
)
def test_an_anchor_may_be_a_time_in_utc_unless_it_says_otherwise(anchor: str) -> None:
    around = desk_with(*"abcde").timeline(CALL, TimelineRequest(anchor=anchor, before=1, after=2))
    assert (around.anchor, contents(around), around.has_more) == (at(2.5), ["b", "c", "d"], True)


def test_a_date_is_its_first_moment() -> None:
    around = desk_with("a").timeline(CALL, TimelineRequest(anchor="2024-05-06"))
    assert (around.anchor, contents(around), around.has_more) == (datetime(2024, 5, 6, tzinfo=UTC), ["a"], False)


@pytest.mark.parametrize("anchor", [str(numbered(2)), numbered(2).hex.upper()])
def test_an_anchor_may_be_a_memory_which_is_shown_between_the_others(anchor: str) -> None:
    around = desk_with(*"abc").timeline(CALL, TimelineRequest(anchor=anchor))
    assert (around.anchor, contents(around)) == (numbered(2), ["a", "b", "c"])
    assert (around.total_before, around.total_after, around.has_more) == (1, 1, False)


def test_a_session_narrows_what_is_around() -> None:
    desk = desk_with("a", "b")
    desk.call = evolve(desk.call, session="session-2")
    desk.save("c")
    around = desk.timeline(desk.call, TimelineRequest(session="session-2", before=2))
    assert (contents(around), around.total_before) == (["c"], 1)


@pytest.mark.parametrize("anchor", ["yesterday", "0001-01-01T00:00:00+14:00", "00000001", "2024-13-01", "\u202e"])
def test_an_anchor_that_is_neither_is_refused_with_what_it_may_be(anchor: str) -> None:
    shown = anchor.replace("\u202e", "\\u{202E}")
    with pytest.raises(InvalidValueError) as refused:
        desk_with("a").timeline(CALL, TimelineRequest(anchor=anchor))
    assert str(refused.value) == (
        f"'anchor' must be the full id of a memory or a time in ISO 8601, not \"{shown}\"."
    )


def test_a_purged_or_unknown_anchor_is_not_found() -> None:
    desk = desk_with("a")
    desk.purge(desk.call, ["00000001"])
    for number in (1, 2):
        with pytest.raises(ObservationNotFoundError):
            desk.timeline(desk.call, TimelineRequest(anchor=str(numbered(number))))


def test_nothing_is_around_where_nothing_was_saved_and_an_unknown_project_is_an_error() -> None:
    desk = Desk()
    assert desk.timeline(desk.call, TimelineRequest()) == Surroundings(anchor=DAWN)
    with pytest.raises(UnknownProjectError):
        desk.timeline(evolve(desk.call, project="nowhere"), TimelineRequest())


def some(first: int, minutes: list[int]) -> tuple[Observation, ...]:
    desk = Desk()
    desk.ids.last = first - 1
    saved = [desk.save(f"{number}") for number in range(len(minutes))]
    return tuple(
        evolve(each, occurred_at=DAWN + timedelta(minutes=at)) for each, at in zip(saved, minutes, strict=True)
    )


@given(
    before=st.lists(st.integers(0, 9), max_size=6).map(sorted),
    after=st.lists(st.integers(0, 9), max_size=6).map(sorted),
    centred=st.booleans(),
    count=st.integers(0, 14),
)
def test_the_nearest_are_those_at_the_least_distance_in_time(
    before: list[int], after: list[int], centred: bool, count: int
) -> None:
    (centre,) = some(50, [0])
    around = Surroundings(
        anchor=centre.id if centred else DAWN,
        before=some(1, [-each for each in reversed(before)]),
        centre=centre if centred else None,
        after=some(100, after),
        total_before=len(before),
        total_after=len(after),
    )
    # Of what was saved at one moment, the neighbour of the anchor is nearer.
    sides = [*around.before[::-1], *around.after]
    near = sorted(sides, key=lambda each: abs(each.occurred_at - DAWN))
    ids = [*([centre.id] if centred else []), *(each.id for each in near)]
    nearest = around.nearest(count)
    assert {each.id for each in nearest.shown} == set(ids[:count])
    assert [each.id for each in nearest.shown] == [each.id for each in around.shown if each in nearest.shown]
    assert nearest.has_more == bool(set(ids[count:]) - {centre.id})
