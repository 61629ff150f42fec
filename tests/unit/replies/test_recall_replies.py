import re
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from attrs import evolve, fields

from lamella.application.search.recall import RecallRequest
from lamella.domain.errors import PathOutsideProjectError, StaleCursorError, UnknownProjectError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Recent, Selector
from lamella.domain.replies.hints import Hints
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

    def test_a_cut_reply_says_how_to_go_on(self) -> None:
        desk = desk_with("x" * 5_000)
        reply = desk.recall(Recent(), Detail.FULL)
        assert re.search(
            r"x\[\.\.\.truncated at ~\d+ tokens\]\n---\n1 result\(s\) \| ~2000 tokens \| detail: full"
            r" \| truncated \(use id for full view\) \| shown 1 \| next: 0\.\d+\.[0-9a-f]{16}\Z",
            reply,
        )

    def test_a_driver_says_in_its_own_words_how_to_go_on(self) -> None:
        hints = Hints(full="recall ID", next="next: --cursor {cursor}", tokens=False)
        request = RecallRequest(detail=Detail.FULL, hints=hints)
        assert re.search(
            r"\n1 result\(s\) \| detail: full \| truncated \(recall ID\) \| shown 1 \| next: --cursor 0\.\S+$",
            desk_with("x" * 5_000).recalling(CALL, request),
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
            desk.save(f"{number} " + "x" * 100, title=f"{number} " + "t" * 150)
        replies = list(pages(desk, RecallRequest(limit=20)))
        numbers = [int(found) for reply in replies for found in re.findall(r"^\[(\d+)\]", reply, re.MULTILINE)]
        totals = {reply.rpartition("\n")[2].split(" | ")[0] for reply in replies}
        assert (numbers, totals, len(replies)) == (list(range(1, 21)), {"20 result(s)"}, 3)

    def test_a_page_that_is_cut_says_how_many_it_shows(self) -> None:
        first, *_ = pages(desk_with(*(f"{number} " + "x" * 300 for number in range(20))), RecallRequest(limit=20))
        assert f" | shown {first.count(chr(10) + '[') + 1} | " in first

    def test_each_page_tells_its_own_size(self) -> None:
        replies = list(pages(desk_with("x" * 3_000, "y" * 3_000), RecallRequest(detail=Detail.FULL)))
        told = [re.findall(r" \| ~(\d+) tokens \| ", reply)[-1] for reply in replies]
        assert told == [str(len(reply)) for reply in replies]
        assert max(map(len, replies)) <= 2_000

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

    def test_it_is_out_of_date_after_any_change(self, desk: Desk, cut: RecallRequest) -> None:
        desk.purge(desk.call, ["00000001"])
        self.stale(desk, cut)
        desk.restore(desk.call, ["00000001"])
        self.stale(desk, cut)
        desk.save("z")
        self.stale(desk, cut)

    def test_it_belongs_to_its_arguments(self, desk: Desk, cut: RecallRequest) -> None:
        self.stale(desk, evolve(cut, limit=11))

    @pytest.mark.parametrize("name", [each.name for each in fields(RecallRequest)])
    def test_it_belongs_to_every_field_of_the_request(self, name: str) -> None:
        before, after = RecallRequest(), RecallRequest()
        object.__setattr__(after, name, "another value")
        assert (before.arguments == after.arguments) is (name in {"cursor", "hints"})

    @pytest.mark.parametrize("name", [each.name for each in fields(Filters)])
    def test_it_belongs_to_every_filter(self, name: str) -> None:
        filters = Filters()
        object.__setattr__(filters, name, "another value")
        assert RecallRequest(filters=filters).arguments != RecallRequest().arguments

    def test_it_belongs_to_the_project_that_is_named(self, desk: Desk, cut: RecallRequest) -> None:
        self.stale(desk.at(project="lovelace"), cut)
