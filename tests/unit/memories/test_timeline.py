from datetime import timedelta

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.timeline import Surroundings
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN


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
