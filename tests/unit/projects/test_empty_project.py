from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from lamella.application.projects.empty_project import NoConversations, NoLedger, NoObservations
from lamella.application.projects.resolver import Here
from lamella.application.search.recall import RecallRequest
from lamella.domain.conversations.message import Batch
from lamella.domain.conversations.query import MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import LamellaError
from lamella.domain.ledger.file_change import Removal
from lamella.domain.memories.observation import Draft, Kind
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Mode, RecallQuery, Recent
from lamella.domain.replies.views import Detail
from lamella.ports.storage.vectors import VectorIndex
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, numbered

ONE = numbered(1)
EVERY_QUESTION: list[Callable[[Any], object]] = [
    lambda observations: observations.get_all([ONE]),
    lambda observations: observations.starting_with(["0000"], limit=5),
    lambda observations: observations.purge([ONE, ONE], now=DAWN),
    lambda observations: observations.restore([ONE], now=DAWN),
    lambda observations: observations.erase([ONE]),
]
EVERY_SEARCH: list[Callable[[Any], object]] = [
    lambda search: search.find(RecallQuery(selector=ByText("zebra"))),
    lambda search: search.neighbourhood(ONE, each_side=1),
    lambda search: search.rarities(["zebra", "horse"]),
    lambda search: search.around(ONE, before=1, after=1),
    lambda search: search.around(DAWN, before=1, after=1),
    lambda search: search.count(include_purged=True),
    lambda search: search.kinds(since=(DAWN, DAWN)),
]
EVERY_QUESTION_OF_VECTORS: list[Callable[[Any], object]] = [
    lambda vectors: vectors.adopt(),
    lambda vectors: vectors.pending(limit=5),
    lambda vectors: vectors.put([]),
    lambda vectors: vectors.nearest(Vector.of((1, 2)), limit=5, filters=Filters()),
    lambda vectors: vectors.coverage(),
]
EVERY_QUESTION_OF_CONVERSATIONS: list[Callable[[Any], object]] = [
    lambda conversations: conversations.known(["k1"]),
    lambda conversations: conversations.position("transcript"),
    lambda conversations: conversations.messages((1, 2)),
    lambda conversations: conversations.numbers("session-1"),
    lambda conversations: conversations.counts(since=(DAWN, DAWN)),
    lambda conversations: conversations.sessions(),
    lambda conversations: conversations.sessions("session-1"),
    lambda conversations: conversations.find(MessageQuery(text="zebra", now=DAWN)),
    lambda conversations: conversations.erase("session-1"),
]
REMOVAL = Removal(
    observation=ONE,
    short_id=ONE.hex[:8],
    at=DAWN,
    kind=Kind.CHANGE,
    source="edit",
    session=None,
    title="",
    path="a.py",
    fingerprints=frozenset({1}),
)
EVERY_QUESTION_OF_THE_LEDGER: list[Callable[[Any], object]] = [
    lambda ledger: ledger.known(["call"]),
    lambda ledger: ledger.names("a.py"),
    lambda ledger: ledger.history("a.py", limit=5),
    lambda ledger: ledger.removals("a.py", {1, 2}),
    lambda ledger: ledger.tell("session-1", REMOVAL),
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


def adopted(here: Here) -> VectorIndex:
    vectors = here.vectors(EmbeddingModel("plane", 2))
    vectors.adopt()
    return vectors


PARTS: list[tuple[Callable[[Here], object], list[Callable[[Any], object]]]] = [
    (lambda here: here.observations, EVERY_QUESTION),
    (lambda here: here.search, EVERY_SEARCH),
    (adopted, EVERY_QUESTION_OF_VECTORS),
    (lambda here: here.conversations(), EVERY_QUESTION_OF_CONVERSATIONS),
    (lambda here: here.ledger(), EVERY_QUESTION_OF_THE_LEDGER),
]


@pytest.mark.parametrize(("part", "ask"), [(part, each) for part, questions in PARTS for each in questions])
def test_no_project_answers_as_an_empty_one(part: Callable[[Here], object], ask: Callable[[Any], object]) -> None:
    nothing, empty = part(Desk().here), part(empty_project().here)
    assert type(nothing) is not type(empty)
    assert answered(lambda: ask(nothing)) == answered(lambda: ask(empty))


def test_a_capture_into_no_project_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="needs a project"):
        NoLedger().record([])


def test_no_conversations_keep_no_summaries() -> None:
    nothing, empty = NoConversations(), empty_project().here.summaries()
    for cache in (nothing, empty):
        cache.keep("session-1", 1, {"mark": Summary(first=1, last=2)})
    assert nothing.kept("session-1", 1) == empty.kept("session-1", 1) == {}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: each.arguments)
def test_a_project_that_is_not_known_is_recalled_as_an_empty_one(request_: RecallRequest) -> None:
    unknown = Desk()
    empty = empty_project()
    asked = [answered(partial(desk.recalling, desk.call, request_)) for desk in (unknown, empty)]
    assert asked[0] == asked[1]
    assert unknown.storage.registry.all() == ()


def test_nothing_is_ever_kept_where_there_is_no_project() -> None:
    with pytest.raises(TypeError):
        NoObservations().add(Draft(content="lost"), id=ONE, now=DAWN)
    with pytest.raises(TypeError):
        NoConversations().add(Batch(source="transcript", position="1"))
