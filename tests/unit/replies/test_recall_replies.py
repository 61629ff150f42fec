import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import evolve, fields

from lamella.application.search.recall import RecallRequest
from lamella.domain.errors import StaleCursorError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText, Filters, Recent
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import CALL, Desk, desk_with, pages, titles
from tests.unit.support.stand_ins import FolderTree
from tests.unit.support.tables import cases


class TestFilters:
    @cases
    def test_filters_narrow_before_the_limit(self, filters: Filters, numbers: Sequence[int]) -> None:
        desk = Desk(tree=FolderTree(texts={"a.py": ""}))
        for number in range(40):
            desk.clock.advance(timedelta(days=1))
            desk.call = evolve(desk.call, session="first" if number < 20 else "second")
            desk.save(f"zebra {number}", paths=["a.py"] if number < 10 else [])
        asked = RecallRequest(selector=ByText("zebra"), limit=len(numbers), filters=filters)
        assert sorted(titles(desk, asked)) == sorted(f"zebra {number}" for number in numbers)


class TestReplies:
    def test_nothing_found_repeats_the_beginning_of_a_long_question(self) -> None:
        with pytest.raises(NothingFoundError, match=f"^No memories found matching '{'x' * 200}'"):
            Desk().recall(ByText("x" * 300))

    def test_a_cut_reply_says_how_to_go_on(self) -> None:
        desk = desk_with("x" * 5_000)
        reply = desk.recall(Recent(), Detail.FULL)
        assert re.search(
            r"x\[\.\.\.truncated at ~\d+ tokens\]\n---\n1 result\(s\) \| ~2000 tokens \| detail: full"
            r" \| truncated \(use id for full view\) \| shown 1"
            r" \| next: 0\.\d+\.[0-9a-f]{16} \(pass as cursor\)\Z",
            reply,
        )

    def test_a_driver_says_in_its_own_words_how_to_go_on(self) -> None:
        hints = Hints(full="recall ID", next="next: --cursor {cursor}", tokens=False)
        request = RecallRequest(detail=Detail.FULL, hints=hints)
        assert re.search(
            r"\n1 result \| detail: full \| truncated \(recall ID\) \| shown 1 \| next: --cursor 0\.\S+$",
            desk_with("x" * 5_000).recalling(CALL, request),
        )


class TestCursors:
    def test_numbers_count_on(self) -> None:
        desk = Desk()
        for number in range(20):
            desk.save(f"{number} " + "x" * 100, title=f"{number} " + "t" * 150)
        replies = list(pages(desk, RecallRequest(limit=20)))
        numbers = [int(found) for reply in replies for found in re.findall(r"^\[(\d+)\]", reply, re.MULTILINE)]
        totals = {reply.rpartition("\n")[2].split(" | ")[0] for reply in replies}
        assert (numbers, totals, len(replies)) == (list(range(1, 21)), {"20 result(s)"}, 3)

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
        return evolve(request, cursor=desk.recalling(desk.call, request).rpartition("next: ")[2].partition(" ")[0])

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
