import re
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve, fields
from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.application.search.recall import RecallRequest
from lamella.domain.errors import NothingFoundError, PathOutsideProjectError, StaleCursorError, UnknownProjectError
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Recent, Selector
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import CALL, HOME, NOTHING_PASSES, Desk, desk_with, pages, titles


class TestFilters:
    def test_only_the_last_days(self) -> None:
        desk = desk_with("old")
        desk.clock.advance(timedelta(days=2))
        desk.save("new")
        found = [titles(desk, RecallRequest(filters=Filters(days_back=days))) for days in (1, 2, 3)]
        assert found == [["new"], ["new"], ["new", "old"]]

    def test_any_number_of_days(self) -> None:
        assert titles(desk_with("one"), RecallRequest(filters=Filters(days_back=10**30))) == ["one"]

    def test_less_than_a_day_is_refused(self) -> None:
        with pytest.raises(ValueError, match="days_back"):
            RecallRequest(filters=Filters(days_back=0))

    def test_only_this_session(self) -> None:
        desk = desk_with("here")
        desk.call = evolve(desk.call, session="another")
        desk.save("there")
        assert titles(desk, RecallRequest(filters=Filters(session=desk.call.session))) == ["there"]

    @pytest.mark.parametrize(
        ("path", "found"),
        [
            ("src/a.py", ["a"]),
            (str(HOME / "src/a.py"), ["a"]),
            ("src", ["b", "a"]),
            ("src/", ["b", "a"]),
            (".", ["b", "a"]),
            ("sr", []),
        ],
    )
    def test_only_about_a_file_or_folder(self, path: str, found: list[str]) -> None:
        desk = Desk()
        desk.save("a", paths=["src/a.py"])
        desk.save("b", paths=["src/b.py"])
        desk.save("c")
        request = RecallRequest(filters=Filters(path=path))
        assert (titles(desk, request) if found else desk.recalling(desk.call, request)) == (
            found or NOTHING_PASSES
        )

    def test_a_path_outside_of_the_project_is_refused(self) -> None:
        with pytest.raises(PathOutsideProjectError):
            desk_with("one").recalling(CALL, RecallRequest(filters=Filters(path="../x")))

    def test_a_filter_never_makes_a_page_come_up_short(self) -> None:
        desk = Desk()
        for number in range(40):
            desk.save(f"zebra {number}", paths=["a.py"] if number < 10 else [])
        found = titles(desk, RecallRequest(selector=ByText("zebra"), limit=10, filters=Filters(path="a.py")))
        assert sorted(found) == sorted(f"zebra {number}" for number in range(10))


class TestReplies:
    @pytest.mark.parametrize(
        ("selector", "asked"),
        [(ByText("x" * 300), "x" * 200), (ByTitle("y"), "y"), (ById("z"), "z"), (ByIds(("v", "w")), "v, w")],
    )
    def test_nothing_found_repeats_what_was_asked_for(self, selector: Selector, asked: str) -> None:
        for desk in (Desk(), desk_with("one")):
            with pytest.raises(NothingFoundError) as refused:
                desk.recall(selector)
            assert str(refused.value) == (
                f"No memories found matching '{asked}'. Try broader search terms or check the ID."
            )

    def test_dates_are_in_the_zone_of_the_reader(self) -> None:
        desk = desk_with("one")
        desk = desk.at(zone=timezone(timedelta(hours=-8)))
        assert desk.shown(Recent())[0].endswith(" | 2024-05-05")
        assert desk.shown(Recent(), Detail.TIMELINE)[:1] == ["2024-05-05"]
        assert desk.shown(Recent(), Detail.FULL)[0].endswith(" | 2024-05-06T07:09:09Z ---")

    def test_a_timeline_takes_the_newest_and_prints_the_oldest_first(self) -> None:
        desk = desk_with(*"abc")
        lines = desk.shown(Recent(), Detail.TIMELINE, limit=2)
        assert [line.split(" | ")[1] for line in lines[1:]] == ["b", "c"]

    def test_short_ids_are_longer_where_eight_characters_are_not_unique(self) -> None:
        desk = Desk()
        desk.ids.first = [UUID(f"0123abcd-000{number}-4000-8000-000000000000") for number in (1, 2)]
        desk.save("one")
        desk.save("two")
        ids = [line.split(" ")[1] for line in desk.shown(Recent())]
        assert ids == ["0123abcd0002", "0123abcd0001"]
        assert [titles(desk, RecallRequest(selector=ById(id))) for id in ids] == [["two"], ["one"]]

    def test_a_cut_reply_says_how_to_go_on(self) -> None:
        desk = desk_with("x" * 5_000)
        reply = desk.recall(Recent(), Detail.FULL)
        assert re.search(
            r"x\[\.\.\.truncated at ~\d+ tokens\]\n---\n1 result\(s\) \| ~2000 tokens \| detail: full"
            r" \| truncated \(use id for full view\) \| next: 0\.\d+\.[0-9a-f]{16}\Z",
            reply,
        )

    def test_another_project_is_asked_by_its_name(self) -> None:
        desk = desk_with("here")
        there = desk.at(directory=Path("/there"))
        there.save("there")
        assert titles(desk.at(project="there"), RecallRequest()) == ["there"]
        with pytest.raises(UnknownProjectError):
            titles(desk.at(project="nowhere"), RecallRequest())


class TestCursors:
    def test_numbers_count_on(self) -> None:
        desk = Desk()
        for number in range(20):
            desk.save(f"{number} " + "x" * 100, title=f"{number} " + "t" * 90)
        replies = list(pages(desk, RecallRequest(limit=20)))
        numbers = [int(found) for reply in replies for found in re.findall(r"^\[(\d+)\]", reply, re.MULTILINE)]
        totals = {reply.rpartition("\n")[2].split(" | ")[0] for reply in replies}
        assert (numbers, totals, len(replies)) == (list(range(1, 21)), {"20 result(s)"}, 3)

    def test_a_cursor_is_at_most_60_characters(self) -> None:
        cursor = desk_with("x" * 9_999).recall(Recent(), Detail.FULL).rpartition("next: ")[2]
        assert len(cursor) <= 60

    def stale(self, desk: Desk, request: RecallRequest) -> None:
        with pytest.raises(StaleCursorError) as refused:
            desk.recalling(desk.call, request)
        assert str(refused.value) == "This cursor is out of date. Repeat the call without it."

    @pytest.fixture
    def desk(self) -> Desk:
        return desk_with("x" * 3_000, "y" * 3_000)

    @pytest.fixture
    def cut(self, desk: Desk) -> RecallRequest:
        request = RecallRequest(detail=Detail.FULL)
        return evolve(request, cursor=desk.recalling(desk.call, request).rpartition("next: ")[2])

    @pytest.mark.parametrize("again", [RecallRequest(), RecallRequest(selector=ByText("nothing like it"))])
    def test_one_of_an_answer_that_is_empty_now_is_stale(self, cut: RecallRequest, again: RecallRequest) -> None:
        self.stale(Desk(), evolve(again, cursor=cut.cursor))

    def test_it_goes_on_as_long_as_nothing_changed(self, desk: Desk, cut: RecallRequest) -> None:
        desk.clock.advance(timedelta(hours=1))
        assert desk.recalling(desk.call, cut) == desk.recalling(desk.call, cut)

    def test_it_is_out_of_date_after_a_purge_or_a_save(self, desk: Desk, cut: RecallRequest) -> None:
        desk.purge(desk.call, ["00000001"])
        self.stale(desk, cut)
        desk.restore(desk.call, ["00000001"])
        self.stale(desk, cut)

    def test_it_is_out_of_date_after_a_save(self, desk: Desk, cut: RecallRequest) -> None:
        desk.save("z")
        self.stale(desk, cut)

    @pytest.mark.parametrize(
        "other",
        [
            {"selector": ByText("x")},
            {"detail": Detail.TIMELINE},
            {"limit": 11},
            {"include_purged": True},
            {"filters": Filters(days_back=9)},
            {"filters": Filters(session="session-1")},
            {"include_messages": True},
            {"selector": ByIds(("00000002", "00000001"))},
        ],
        ids=str,
    )
    def test_it_belongs_to_its_arguments(self, desk: Desk, cut: RecallRequest, other: dict[str, Any]) -> None:
        request = evolve(cut, **other)
        if request.selector == ByText("x"):
            request = evolve(request, selector=ByText("x" * 3_000))
        self.stale(desk, request)

    @pytest.mark.parametrize("name", [each.name for each in fields(RecallRequest)])
    def test_it_belongs_to_every_field_of_the_request(self, name: str) -> None:
        before, after = RecallRequest(), RecallRequest()
        object.__setattr__(after, name, "another value")
        assert (before.arguments == after.arguments) is (name == "cursor")

    @pytest.mark.parametrize("name", [each.name for each in fields(Filters)])
    def test_it_belongs_to_every_filter(self, name: str) -> None:
        filters = Filters()
        object.__setattr__(filters, name, "another value")
        assert RecallRequest(filters=filters).arguments != RecallRequest().arguments

    def test_it_belongs_to_the_project_that_is_named(self, desk: Desk, cut: RecallRequest) -> None:
        self.stale(desk.at(project="lovelace"), cut)

    @pytest.mark.parametrize("place", ["2.0", "9999.0", "0.999999999"])
    def test_a_place_that_is_not_there_is_out_of_date(self, desk: Desk, cut: RecallRequest, place: str) -> None:
        digest = (cut.cursor or "").rpartition(".")[2]
        self.stale(desk, evolve(cut, cursor=f"{place}.{digest}"))

    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(
            st.text(
                st.sampled_from("ab \n-\u2500\u202e\u0301\U0001f1e9\u6570"), min_size=1, max_size=3_000
            ).filter(str.strip),
            min_size=1,
            max_size=6,
        ),
        st.sampled_from(Detail),
    )
    def test_pages_never_exceed_the_budget_and_tell_their_own_size(self, texts: list[str], detail: Detail) -> None:
        desk = desk_with(*texts)
        for page in pages(desk, RecallRequest(detail=detail)):
            told = int(page.rpartition("\n---\n")[2].split("~")[1].split(" ")[0])
            assert (told, told <= 2_000) == (len(page), True)
