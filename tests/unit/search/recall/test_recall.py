import re
from datetime import timedelta, timezone

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.errors import NothingFoundError, ObservationPurgedError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ById, ByIds, ByText, Filters, Recent, Selector
from lamella.domain.replies.hints import Hints
from lamella.domain.replies.views import Detail
from lamella.ports.storage.storage import Capability
from tests.unit.support.doubles import CALL, NOTHING_SAVED, Desk, desk_with, pages, titles
from tests.unit.support.edits import captured
from tests.unit.support.stand_ins import DAWN, LackingStorage, numbered
from tests.unit.support.tables import cases


class TestMostRecent:
    def test_an_empty_project_says_how_to_add_one(self) -> None:
        hinted = RecallRequest(hints=Hints(save="Use save to add one."))
        assert Desk().recalling(CALL, hinted) == f"{NOTHING_SAVED} Use save to add one."
        assert Desk().recall(Recent()) == NOTHING_SAVED

    def test_without_filters_nothing_is_said_about_filters(self) -> None:
        desk, hints = desk_with("one"), Hints(purged="All are purged.")
        desk.purge(desk.call, ["00000001"])
        assert desk.recalling(desk.call, RecallRequest(hints=hints)) == "All are purged."
        filtered = RecallRequest(hints=hints, filters=Filters(source="git"))
        assert desk.recalling(desk.call, filtered) == "No memories match these filters."


class TestWords:
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


class TestOneId:
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


def renamed(desk: Desk) -> Desk:
    """The desk after `old.py` was changed and renamed, and another file was called so."""
    edit = captured("@@ @@\n-one", path="old.py", name="1", reason="Changed it")
    later = DAWN + timedelta(days=1)
    rename = captured("", path="new.py", former="old.py", at=later, name="2", reason="Renamed it")
    desk.record(desk.call, [edit, rename])
    return desk


def test_a_renamed_file_is_recalled_with_what_it_was_before() -> None:
    assert titles(renamed(Desk()), RecallRequest(filters=Filters(path="new.py"))) == ["Renamed it", "Changed it"]
    assert titles(renamed(Desk()), RecallRequest(filters=Filters(path="old.py"))) == ["Changed it"]


def test_storage_without_a_ledger_recalls_by_the_present_name() -> None:
    desk = renamed(Desk())
    plain = LackingStorage({Capability.LEDGER})
    plain.registry = desk.storage.registry  # type: ignore[assignment]
    desk.storage = plain
    assert titles(desk, RecallRequest(filters=Filters(path="new.py"))) == ["Renamed it"]


def test_where_conversations_are_not_shared_their_absence_is_told() -> None:
    told = "conversations stay on the machine, in the client's transcripts, unless LAMELLA_SHARE_CONVERSATIONS=on"
    desk = Desk()
    desk.save("The retry waits five seconds.", title="Retry")
    recall = evolve(desk.recalling, search=evolve(desk.searching, keeps_conversations=False))
    retry, zebra = (RecallRequest(selector=ByText(each), include_messages=True) for each in ("retry", "zebra"))
    assert recall(CALL, retry).endswith(f" | {told}")
    with pytest.raises(NothingFoundError, match=f"\\({told}\\)$"):
        recall(CALL, zebra)
    desk.said("zebra")
    assert told not in recall(CALL, zebra)
    assert told not in recall(CALL, evolve(retry, include_messages=False))


def test_a_cursor_leads_through_the_messages_too() -> None:
    desk = Desk(count=lambda text: len(text) // 2)
    desk.save("zebra", title="Note")
    desk.said(*(f"zebra {number} {'x' * 90}" for number in range(50)))
    seen: list[str] = []
    cursor = None
    while cursor is not None or not seen:
        request = RecallRequest(selector=ByText("zebra"), include_messages=True, limit=50, cursor=cursor)
        lines = desk.recalling(desk.call, request).split("\n")
        seen += lines[:-2]
        cursor = lines[-1].partition("next: ")[2].split(" ")[0] or None
    assert len(seen) == 51
    assert [line.partition("]")[0] for line in seen] == [f"[{number}" for number in range(1, 52)]
