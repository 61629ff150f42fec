"""Saved memories come before captured ones."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.kind import EDITED, FOUND, LEARNED, Kind  # noqa: F401 - for the table
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText
from lamella.domain.search.indexing import indexed_text
from tests.unit.embeddings.meaning_desks import patient
from tests.unit.support.doubles import Desk, desk_with, titles
from tests.unit.support.edits import captured
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases

SAVED = ("The zebra crossing is closed at night.", "A zebra crossing needs a lamp.", "Only a zebra may cross.")


def work(desk: Desk) -> None:
    """Record edits whose prompts and code share the words of what was saved."""
    for number in range(100):
        desk.clock.advance(timedelta(minutes=1))
        edit = captured(
            f"@@ @@\n+zebra = crossing.closed('zebra crossing {number}')",
            path=f"src/crossing{number}.py",
            at=desk.clock.now(),
            reason=f"Close the zebra crossing {number}, the zebra waits.",
        )
        desk.record(desk.call, [edit])


@pytest.mark.parametrize("desk_with", [desk_with, patient], ids=["words", "words and meaning"])
def test_saved_memories_stay_in_the_top_three_among_a_hundred_edits(desk_with: Callable[..., Desk]) -> None:
    desk = desk_with(*SAVED)
    work(desk)
    for asked in ("zebra", "zebra crossing", "is the zebra crossing closed at night"):
        assert set(titles(desk, RecallRequest(selector=ByText(asked)))[:3]) == set(SAVED)


def test_an_edit_is_found_by_its_path_and_code() -> None:
    desk = desk_with(*SAVED)
    work(desk)
    asked = RecallRequest(selector=ByText("src/crossing42.py"))
    assert "42," in titles(desk, asked)[0]


@cases
def test_the_prompt_of_a_captured_edit_stands_in_the_sub_column(source: str, content: str, reason: str) -> None:
    draft = Draft(content=content, kind=Kind.CHANGE, source=source)
    text = indexed_text(draft.observed(id=UUID(int=1), project="p", sequence=1, now=DAWN), [])
    assert text.content.partition("\n")[2] == content.removeprefix(reason)
    assert text.hidden_forms.partition("\n")[2] == reason
