from collections.abc import Callable
from functools import partial

import pytest

from lamella.application.projects.context import ProjectContext
from lamella.application.search.recall import RecallRequest
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Mode, Recent
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, numbered

ONE = numbered(1)
MODEL = EmbeddingModel("plane", 2)
EVERY_PART: list[Callable[[ProjectContext], object]] = [
    lambda here: here.observations.starting_with([""], limit=5),
    lambda here: here.search.around(ONE, before=1, after=1),
    lambda here: here.search.count(include_purged=True),
    lambda here: here.vectors(MODEL).coverage(),
    lambda here: here.conversations().sessions(),
    lambda here: here.conversations().kept("session-1", 1),
    lambda here: here.ledger().names("a.py"),
    lambda here: here.activity().since(DAWN),
]
REQUESTS = [
    *(
        RecallRequest(selector=selector, detail=detail)
        for selector in (Recent(), ById("0000"), ByIds(("0000", "x")), ByText("zebra"), ByTitle("zebra"))
        for detail in Detail
    ),
    RecallRequest(selector=ByText("zebra", Mode.SEMANTIC)),
    RecallRequest(include_purged=True, filters=Filters(path="src", days_back=1, session="session-1")),
    RecallRequest(filters=Filters(path="../elsewhere")),
    RecallRequest(cursor="nonsense"),
]


def answered(ask: Callable[[], object]) -> object:
    """Return the result of a call, or its error."""
    try:
        return ask()
    except LamellaError as error:
        return type(error), str(error)


def empty_project() -> Desk:
    """A desk whose project is made and has no memories."""
    desk = Desk()
    assert desk.made_here.project
    return desk


@pytest.mark.parametrize("part", EVERY_PART)
def test_each_part_of_a_project_that_is_not_known_is_empty(part: Callable[[ProjectContext], object]) -> None:
    unknown = Desk()
    assert answered(lambda: part(unknown.here)) == answered(lambda: part(empty_project().here))
    assert (unknown.here.project, unknown.storage.registry.all()) == (None, ())


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.arguments)
def test_a_project_that_is_not_known_is_recalled_as_an_empty_one(request_: RecallRequest) -> None:
    unknown = Desk()
    empty = empty_project()
    asked = [answered(partial(desk.recalling, desk.call, request_)) for desk in (unknown, empty)]
    assert asked[0] == asked[1]
    assert unknown.storage.registry.all() == ()
