"""Edits of one request are one line of a reply."""

import re
from datetime import timedelta

import pytest

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByIds, ByText, ByTitle, Recent, Selector
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import Desk, desk_with, pages, titles
from tests.unit.support.edits import captured, removed
from tests.unit.support.tables import cases

PROMPT = "Rename the zebra."
FOLDED = "Rename the zebra. (3 edits: c.py, b.py, a.py)"


def edit(desk: Desk, *paths: str, reason: str = PROMPT, session: str | None = "s") -> None:
    """Record edits of files for one prompt, a minute apart."""
    for path in paths:
        desk.clock.advance(timedelta(minutes=1))
        hunks = removed(f"stripes = '{path}'")
        edited = captured(hunks, path=path, at=desk.clock.now(), reason=reason, session=session)
        desk.record(desk.call, [edited])


@pytest.fixture
def desk() -> Desk:
    desk = desk_with("The zebra has stripes.")
    edit(desk, "src/a.py", "src/b.py", "src/c.py")
    return desk


@pytest.mark.parametrize("selector", [ByText("zebra"), ByTitle("zebra"), Recent()])
def test_edits_of_one_request_are_one_line_with_their_files_and_ids(desk: Desk, selector: Selector) -> None:
    ids = [each.id.hex[:8] for each in desk.everything if each.changes][::-1]
    (line,) = [each for each in desk.shown(selector) if FOLDED in each]
    assert line.split(" | ")[0].endswith(ids[0])
    assert line.endswith(f" | also {ids[1]}, {ids[2]}")
    (line,) = [each for each in desk.shown(selector, Detail.TIMELINE) if FOLDED in each]
    assert line.endswith(f" | {ids[0]} | also {ids[1]}, {ids[2]}")
    assert "2 result(s)" in desk.recall(selector)


def test_in_full_and_by_id_each_edit_is_shown(desk: Desk) -> None:
    ids = tuple(str(each.id) for each in desk.everything if each.changes)
    assert "4 result(s)" in desk.recall(Recent(), Detail.FULL)
    assert titles(desk, RecallRequest(selector=ByIds(ids))) == ["Rename the zebra."] * 3


@cases
def test_edits_of_other_requests_have_lines_of_their_own(desk: Desk, other: dict[str, str | None]) -> None:
    edit(desk, "src/d.py", **other)  # type: ignore[arg-type]
    assert titles(desk)[1:] == [FOLDED, "The zebra has stripes."]


def test_purged_edits_are_not_folded(desk: Desk) -> None:
    desk.purge(desk.call, [str(each.id) for each in desk.everything if each.changes])
    request = RecallRequest(selector=ByText("zebra"), include_purged=True)
    assert titles(desk, request) == ["The zebra has stripes.", *[PROMPT] * 3]


def test_a_title_names_so_many_files_each_once(desk: Desk) -> None:
    edit(desk, *(f"{folder}/{name}.py" for folder in "xy" for name in "abcdef"), reason="Go on with that.")
    assert titles(desk)[0] == "Go on with that. (12 edits: f.py, e.py, d.py, c.py, b.py, ...)"


def test_edits_without_a_prompt_have_only_their_files(desk: Desk) -> None:
    for _ in range(2):
        edit(desk, "src/d.py", reason="")
        desk.clock.advance(timedelta(hours=1))
    assert titles(desk)[0] == "2 edits: d.py"


def test_others_take_the_places_of_edits_that_are_folded() -> None:
    desk = desk_with(*(f"The zebra {number} has stripes." for number in range(9)))
    edit(desk, *(f"{name}.py" for name in "abcdefgh"))
    assert len(titles(desk, RecallRequest(limit=5))) == 5
    assert len(titles(desk, RecallRequest(selector=ByText("zebra stripes"), limit=10))) == 10


def test_cursors_lead_to_each_line_once() -> None:
    desk = Desk()
    for number in range(50):
        edit(desk, "a.py", "b.py", reason=f"Change {number} of the zebra: {'stripes ' * 40}")
    every = [*pages(desk, RecallRequest(limit=50))]
    ids = re.findall(r"^\[\d+\] (\w{8}) .* \| also (\w{8})$", "\n".join(every), re.MULTILINE)
    assert len(every) > 1
    assert len({id for pair in ids for id in pair}) == 100
    assert all("50 result(s)" in page for page in every)
