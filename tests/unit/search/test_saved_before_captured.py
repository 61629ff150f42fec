"""What somebody saved comes before what was captured."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.query import ByText
from tests.unit.embeddings.meaning_desks import patient
from tests.unit.support.doubles import Desk, desk_with, titles
from tests.unit.support.edits import captured

SAVED = ("The zebra crossing is closed at night.", "A zebra crossing needs a lamp.", "Only a zebra may cross.")


def work(desk: Desk, count: int = 100) -> None:
    """Record edits whose prompts and code share the words of what was saved."""
    for number in range(count):
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
