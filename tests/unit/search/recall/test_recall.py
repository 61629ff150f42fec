import re
from datetime import timedelta, timezone

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.errors import AmbiguousIdError, ObservationPurgedError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ById, ByIds, ByText, Filters, Recent, Selector
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import CALL, NOTHING_PASSES, NOTHING_SAVED, Desk, desk_with, pages, titles
from tests.unit.support.stand_ins import DAWN, numbered
from tests.unit.support.tables import cases


def apart(*texts: str) -> Desk:
    """A desk that has saved each of these texts in a session of its own, so that none is another's context."""
    desk = Desk()
    for text in texts:
        desk.call = evolve(desk.call, session=f"session of {text}")
        desk.save(text)
    return desk


class TestMostRecent:
    def test_newest_come_first_with_a_footer_that_counts_them_and_itself(self) -> None:
        reply = desk_with("one", "two").recall(Recent())
        assert reply == (
            "[1] 00000002 | two | - | - | 2024-05-06\n"
            "[2] 00000001 | one | - | - | 2024-05-06\n"
            "---\n"
            f"2 result(s) | ~{len(reply)} tokens | detail: compact"
        )

    def test_there_are_no_more_than_the_limit(self) -> None:
        desk = desk_with(*"abcdefghijkl")
        assert titles(desk, RecallRequest()) == list("lkjihgfedc")
        assert titles(desk, RecallRequest(limit=2)) == ["l", "k"]

    def test_an_empty_project_says_how_to_add_one(self) -> None:
        hinted = RecallRequest(hints=Hints(save="Use save to add one."))
        assert Desk().recalling(CALL, hinted) == f"{NOTHING_SAVED} Use save to add one."
        assert Desk().recall(Recent()) == NOTHING_SAVED

    def test_filters_that_nothing_passes_are_no_error(self) -> None:
        assert desk_with("one").recalling(CALL, RecallRequest(filters=Filters(path="src"))) == NOTHING_PASSES

    def test_purged_ones_are_seen_only_where_asked(self) -> None:
        desk = desk_with("one")
        desk.purge(desk.call, ["00000001"])
        assert desk.recall(Recent()) == NOTHING_PASSES
        shown = desk.recall(Recent(), include_purged=True).split("\n")[0]
        assert shown == "[1] 00000001 | one | - | - | 2024-05-06 | purged 2024-05-06"


class TestWords:
    def test_a_hit_is_printed_with_its_strength(self) -> None:
        desk = apart("zebra crossing", "zebra", "crossing")
        strengths = [line.split(" | ")[2] for line in desk.shown(ByText("zebra crossing"))]
        assert strengths[0] == "1.00"
        assert [0 < float(each) < 1 for each in strengths[1:]] == [True, True]

    def test_a_question_of_stop_words_alone_is_answered_with_the_latest(self) -> None:
        desk = desk_with("to be", "or not", "a zebra")
        desk.said("what was that?")
        reply = desk.recall(ByText("what was that?"), limit=2)
        assert [line.split(" | ")[1:4] for line in reply.split("\n")[:2]] == [
            ["a zebra", "-", "-"],
            ["or not", "-", "-"],
        ]
        assert reply.endswith(" | no searchable words: the latest")

    @cases
    def test_relative_dates_of_a_question_are_those_of_its_day(self, question: str, found: list[str]) -> None:
        desk = Desk()
        for text, at in (("in April", 17), ("on day 8", 8), ("on day 9", 9)):
            desk.clock.moment = DAWN.replace(month=4 if at == 17 else 5, day=at)
            desk.save(text, title=text)
        desk.clock.moment = DAWN.replace(day=10)
        assert titles(desk, RecallRequest(selector=ByText(question)))[:1] == found

    def test_a_day_begins_where_the_caller_is(self) -> None:
        desk = Desk()
        for day in (8, 9):
            desk.clock.moment = DAWN.replace(day=day, hour=12)
            desk.save(f"on day {day}", title=f"on day {day}")
        desk.clock.moment = DAWN.replace(day=10, hour=2)
        asked = RecallRequest(selector=ByText("yesterday"))
        assert titles(desk, asked) == ["on day 9"]
        # A day there ends in the next one of UTC, by which memories are found.
        desk.call = evolve(desk.call, zone=timezone(timedelta(hours=-5)))
        assert titles(desk, asked) == ["on day 9", "on day 8"]


class TestIds:
    def test_they_are_shown_in_the_order_given_each_once_whatever_the_limit(self) -> None:
        desk = desk_with("one", "two", "three")
        given = ("00000003", str(numbered(1)), "0000-0003", numbered(3).hex)
        assert titles(desk, RecallRequest(selector=ByIds(given), limit=1)) == ["three", "one"]

    def test_purged_ones_are_always_shown(self) -> None:
        desk = desk_with("one")
        desk.purge(desk.call, ["00000001"])
        assert desk.shown(ByIds(("00000001",)))[0].endswith(" | purged 2024-05-06")

    def test_those_that_are_not_there_follow(self) -> None:
        desk = desk_with("one")
        reply = desk.recall(ByIds(("dead", "00000001", "beef", "dead")))
        assert reply.split("\n")[1:3] == ["not found: dead, beef", "---"]
        assert reply.split("\n")[3].startswith("1 result(s) | ")

    def test_those_that_could_mean_several_follow(self) -> None:
        desk = desk_with("one", "two")
        lines = desk.shown(ByIds(("00000001", "0000", "dead")))
        assert lines[1:] == [
            "ambiguous: 0000 could be 00000001 (one); 00000002 (two)",
            "not found: dead",
        ]

    def test_filters_do_not_hide_what_is_asked_for_by_id(self) -> None:
        desk = desk_with("one")
        request = RecallRequest(
            selector=ByIds(("00000001",)), filters=Filters(path="src", session="session-1", days_back=1)
        )
        desk.call = evolve(desk.call, session="another")
        desk.clock.advance(timedelta(days=9))
        assert titles(desk, request) == titles(desk, evolve(request, selector=ById("00000001"))) == ["one"]


class TestOneId:
    def test_a_purged_one_is_shown_only_where_asked(self) -> None:
        desk = desk_with("one")
        desk.purge(desk.call, ["00000001"])
        with pytest.raises(ObservationPurgedError) as refused:
            desk.recall(ById("0000-0001"))
        assert str(refused.value) == "The memory 00000001 was purged on 2024-05-06."
        assert desk.recall(ById("00000001"), include_purged=True).startswith("[1] 00000001 | one | ")

    def test_a_purged_one_says_when_it_was_purged_and_how_to_restore_it(self) -> None:
        desk = desk_with("one")
        desk.purge(desk.call, ["00000001"])
        desk = desk.at(zone=timezone(timedelta(hours=-8)))
        hints = Hints(restore="restore({id})")
        with pytest.raises(ObservationPurgedError) as refused:
            desk.recalling(desk.call, RecallRequest(selector=ById("00000001"), detail=Detail.FULL, hints=hints))
        assert str(refused.value) == (
            "The memory 00000001 was purged on 2024-05-05. To restore it: restore(00000001)"
        )

    @pytest.mark.parametrize("selector", [ById("0000"), ByIds(("0000", "dead"))])
    def test_one_that_could_mean_several_is_an_error_of_its_own(self, selector: Selector) -> None:
        with pytest.raises(AmbiguousIdError) as refused:
            desk_with("one", "two").recall(selector)
        assert str(refused.value) == (
            "The id '0000' is ambiguous: use more of its characters. It could be: 00000001 (one); 00000002 (two)"
        )

    def test_in_full_it_may_be_twice_as_long(self) -> None:
        desk = desk_with("x" * 3_000, "y" * 3_000)
        selectors: dict[str, Selector] = {
            "id": ById("00000001"),
            "only id": ByIds(("00000001", "00000001")),
            "two ids": ByIds(("00000001", "00000002")),
            "recent": Recent(),
        }
        longest = {
            name: max(len(page) for page in pages(desk, RecallRequest(selector=selector, detail=Detail.FULL)))
            for name, selector in selectors.items()
        }
        whole = len(desk.recall(ById("00000001"), Detail.FULL))
        assert longest == {"id": whole, "only id": whole, "two ids": 2_000, "recent": 2_000}
        assert 3_000 < whole <= 4_000

    def test_its_timeline_is_its_neighbourhood_in_its_session(self) -> None:
        desk = Desk()
        for number in range(13):
            desk.save(f"text {number}")
            desk.call = evolve(desk.call, session="another")
            desk.save(f"other {number}")
            desk.call = evolve(desk.call, session="session-1")
        lines = desk.shown(ById(numbered(13).hex), Detail.TIMELINE)
        told = [line.split(" | ") for line in lines[1:]]
        assert lines[0] == "2024-05-06"
        assert [line[1] for line in told] == [f"text {number}" for number in range(1, 12)]
        assert [line[0] for line in told if line[0].startswith("\u2192 ")] == ["\u2192 07:21"]

    def test_without_a_session_its_neighbourhood_is_of_the_project(self) -> None:
        desk = desk_with("one")
        desk.observations.add(Draft(content="two", title="two"), id=numbered(2), now=desk.clock.now())
        desk.ids.last = 2
        desk.save("three")
        lines = desk.shown(ById("00000002"), Detail.TIMELINE)
        assert [line.split(" | ")[1] for line in lines[1:]] == ["one", "two", "three"]

    def test_the_nearest_of_its_neighbourhood_come_first_into_the_budget(self) -> None:
        desk = Desk()
        for number in range(11):
            desk.save(f"{number:02} " + "x" * 150, title=f"{number:02} " + "t" * 190)
        first, *rest = pages(desk, RecallRequest(selector=ById("00000006"), detail=Detail.TIMELINE))
        shown = re.findall(r"\| (\d\d) t", first)
        assert shown == ["03", "04", "05", "06"]
        everything = sorted(shown + [each for page in rest for each in re.findall(r"\| (\d\d) t", page)])
        assert everything == [f"{number:02}" for number in range(11)]

    def test_purged_neighbours_are_shown_only_where_asked(self) -> None:
        desk = desk_with("one", "two", "three")
        desk.purge(desk.call, ["00000001"])
        footers = [
            desk.recall(ById("00000002"), Detail.TIMELINE, include_purged=purged).rpartition("\n")[2][:12]
            for purged in (False, True)
        ]
        assert footers == ["2 result(s) ", "3 result(s) "]
