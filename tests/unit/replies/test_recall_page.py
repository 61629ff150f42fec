"""Pages for programs: what of an answer is on each."""

from collections.abc import Iterator

from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByText, Recent
from lamella.domain.replies.paging import RecallPage
from lamella.domain.replies.views import Detail
from tests.unit.search.search_session import LONG
from tests.unit.support.doubles import NOTHING_SAVED, Desk, desk_with


def pages(desk: Desk, request: RecallRequest) -> Iterator[RecallPage]:
    """Every page of an answer, by its cursors."""
    page = desk.recalling.page(desk.call, request)
    yield page
    while page.cursor is not None:
        page = desk.recalling.page(desk.call, evolve(request, cursor=page.cursor))
        yield page


def test_pages_hold_every_hit_and_message_once_and_what_is_cut_on_each_page_of_it() -> None:
    desk = desk_with("zebra one", "zebra " * 900, "zebra three")
    desk.said("zebra said", "zebra said again")
    request = RecallRequest(selector=ByText("zebra"), detail=Detail.FULL, include_messages=True)
    every = list(pages(desk, request))
    answer = desk.searching(desk.call, request)
    hits = [hit.observation.title for page in every for hit in page.hits]
    assert list(dict.fromkeys(hits)) == [hit.observation.title for hit in answer.hits]
    cut = sum("[...truncated" in page.text for page in every)
    assert (cut > 1, len(hits)) == (True, 3 + cut)
    assert [each.message.number for page in every for each in page.messages] == [
        each.message.number for each in answer.messages
    ]
    assert {(page.total, page.strength) for page in every} == {(5, "strong")}
    assert [page.cursor is None for page in every] == [False] * (len(every) - 1) + [True]


def test_a_page_says_how_strong_its_best_result_is_and_what_limits_it() -> None:
    desk = desk_with(*(f"zebra {number} {LONG}" for number in range(5)))
    weak = desk.recalling.page(
        desk.call, RecallRequest(selector=ByText("zebra unicorn centaur griffin dragon phoenix"))
    )
    latest = desk.recalling.page(desk.call, RecallRequest(selector=Recent()))
    assert (weak.strength, weak.notices) == ("weak", ("weak match: try other words",))
    assert (latest.strength, latest.notices) == (None, ())
    assert desk_with().recalling.page(desk.call, RecallRequest()) == RecallPage(text=NOTHING_SAVED)
