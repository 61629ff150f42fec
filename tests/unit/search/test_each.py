"""All memories that a request finds, window by window."""

from datetime import timedelta

import pytest

from lamella.application.search import each
from lamella.application.search.each import EachMemory
from lamella.application.search.request import SearchRequest
from lamella.domain.call import Call
from lamella.domain.memories.query import ById, ByText, ByTitle, Filters, Mode, Recent, Selector  # noqa: F401 - for the table
from lamella.domain.replies.answer import Answer
from tests.unit.support.doubles import Desk, desk_with
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(each, "RANKED", 4)


def found(desk: Desk, selector: Selector, filters: Filters | None = None) -> list[str]:
    request = SearchRequest(selector=selector, limit=2, filters=filters or Filters())
    answer = desk.searching(desk.call, request)
    return [hit.observation.content for hit in EachMemory(desk.searching)(desk.call, request, answer)]


def zebras(count: int = 20) -> Desk:
    return desk_with(*(f"zebra {number}" for number in range(count)), "the best zebra, a zebra")


def test_the_best_come_first_and_the_others_by_time() -> None:
    desk = zebras()
    best, *others = found(desk, ByText("best zebra"))
    assert [best, *others] == found(desk, ByText("best zebra", Mode.KEYWORD))
    assert best == "the best zebra, a zebra"
    ranked = [
        hit.observation.content
        for hit in desk.searching(desk.call, SearchRequest(selector=ByText("best zebra"), limit=4)).hits
    ]
    assert others[:3] == ranked[1:]
    assert others[3:] == [f"zebra {number}" for number in reversed(range(20)) if f"zebra {number}" not in ranked]


@pytest.mark.parametrize("selector", [Recent(), ByTitle("zebra")])
def test_without_ranks_all_come_by_time(selector: Selector) -> None:
    assert found(zebras(), selector) == ["the best zebra, a zebra", *(f"zebra {at}" for at in reversed(range(20)))]


def test_few_searches_find_all() -> None:
    desk = zebras()
    searches = []

    def searching(call: Call, request: SearchRequest) -> Answer:
        searches.append(request)
        return desk.searching(call, request)

    request = SearchRequest(selector=Recent(), limit=2)
    all_of_them = EachMemory(searching)(desk.call, request, desk.searching(desk.call, request))  # type: ignore[arg-type] # it is only called
    assert len([*all_of_them]) == 21
    assert len(searches) < 21


def test_memories_of_one_moment_come_too() -> None:
    desk = Desk()
    for number in range(11):
        desk.clock.moment = DAWN - timedelta(minutes=1)  # a save is a minute later
        desk.save(f"zebra {number}")
    assert sorted(found(desk, Recent())) == sorted(f"zebra {number}" for number in range(11))


def test_filters_hold_to_the_end() -> None:
    span = Filters(since=DAWN + timedelta(minutes=3), until=DAWN + timedelta(minutes=13))
    assert found(zebras(), Recent(), span) == [f"zebra {number}" for number in reversed(range(2, 12))]


@cases
def test_a_short_answer_is_all_there_is(selector: Selector, count: int) -> None:
    assert len(found(zebras(count - 1), selector)) == count if isinstance(selector, ByText) else 1
