from collections.abc import Callable
from typing import Any

import pytest

from lamella.application.nothing import NoObservations, NoSearch
from lamella.application.recall import RecallRequest
from lamella.domain.disclosure import Detail
from lamella.domain.errors import LamellaError
from lamella.domain.observation import Draft
from lamella.domain.query import ById, ByIds, ByText, ByTitle, Mode, RecallQuery, Recent
from lamella.ports.search import ObservationSearch
from lamella.ports.storage import ObservationStorage

from .doubles import DAWN, Desk, numbered

ONE = numbered(1)
EVERY_QUESTION: list[Callable[[Any], object]] = [
    lambda observations: observations.get(ONE),
    lambda observations: observations.starting_with("0000", limit=5),
    lambda observations: observations.short_ids([ONE]),
    lambda observations: observations.purge([ONE, ONE], now=DAWN),
    lambda observations: observations.restore([ONE], now=DAWN),
    lambda observations: observations.erase([ONE]),
]
EVERY_SEARCH: list[Callable[[Any], object]] = [
    lambda search: search.find(RecallQuery(selector=ByText("zebra"))),
    lambda search: search.neighbourhood(ONE, each_side=1),
    lambda search: search.count(include_purged=True),
]
REQUESTS = [
    *(
        RecallRequest(selector=selector, detail=detail)
        for selector in (Recent(), ById("0000"), ByIds(("0000", "x")), ByText("zebra"), ByTitle("zebra"))
        for detail in Detail
    ),
    RecallRequest(selector=ByText("zebra", Mode.SEMANTIC)),
    RecallRequest(path="src", days_back=1, session_only=True, include_purged=True),
    RecallRequest(path="../elsewhere"),
    RecallRequest(cursor="nonsense"),
]


def answered(ask: Callable[[], object]) -> object:
    """What comes back, or is raised."""
    try:
        return ask()
    except LamellaError as error:
        return type(error), str(error)


def empty_project() -> Desk:
    """A desk whose project is made and has no memories."""
    desk = Desk()
    desk.projects.made_here()
    return desk


@pytest.mark.parametrize("question", EVERY_QUESTION)
def test_no_observations_answer_as_those_of_an_empty_project(question: Callable[[Any], object]) -> None:
    nothing: ObservationStorage = NoObservations()
    empty = empty_project().observations
    assert answered(lambda: question(nothing)) == answered(lambda: question(empty))


@pytest.mark.parametrize("question", EVERY_SEARCH)
def test_no_search_answers_as_that_of_an_empty_project(question: Callable[[Any], object]) -> None:
    nothing: ObservationSearch = NoSearch()
    empty = empty_project().projects.here().search
    assert answered(lambda: question(nothing)) == answered(lambda: question(empty))


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.arguments)
def test_a_project_that_is_not_known_is_recalled_as_an_empty_one(request_: RecallRequest) -> None:
    unknown = Desk()
    asked = [answered(lambda desk=desk: desk.recalling(request_)) for desk in (unknown, empty_project())]  # type: ignore[misc]
    assert asked[0] == asked[1]
    assert unknown.storage.registry.all() == ()


def test_nothing_is_ever_kept_where_there_is_no_project() -> None:
    with pytest.raises(TypeError):
        NoObservations().add(Draft(content="lost"), id=ONE, now=DAWN)
