import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText
from tests.unit.support.doubles import CALL, Desk


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
