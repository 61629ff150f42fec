from datetime import timedelta

import pytest
from attrs import evolve

from lamella.application.search.recall import RecallRequest
from lamella.domain.conversations.message import Role
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ByText, ByTitle, Filters, Recent, Selector
from lamella.domain.replies.views import Detail
from tests.unit.support.doubles import CALL, Desk


def desk_with_both() -> Desk:
    desk = Desk()
    desk.save("The retry waits five seconds.", title="Retry")
    desk.said("Why does the retry\nfail?", name="Fixing the\nretry")
    desk.said("--- the retry is --- too short.", role=Role.ASSISTANT)
    return desk


def reply(desk: Desk, selector: Selector, detail: Detail = Detail.COMPACT, **asked: object) -> list[str]:
    request = RecallRequest(selector=selector, detail=detail, include_messages=True, **asked)  # type: ignore[arg-type]
    return desk.recalling(desk.call, request).split("\n")


def test_messages_follow_the_others_in_an_index() -> None:
    lines = reply(desk_with_both(), ByText("retry"))
    assert lines[:3] == [
        "[1] 00000001 | Retry | 1.00 | The retry waits five seconds. | 2024-05-06",
        "[2] message 2 | Fixing the retry | 1.00 | assistant: --- the retry is --- too short. | 2024-05-06",
        "[3] message 1 | Fixing the retry | 1.00 | human: Why does the retry fail? | 2024-05-06",
    ]
    assert lines[-1].startswith("3 result(s) | ~")


def test_in_a_timeline_messages_stand_at_their_time() -> None:
    assert reply(desk_with_both(), ByText("retry"), Detail.TIMELINE)[:4] == [
        "2024-05-06",
        "07:09 | Retry | manual | The retry waits five seconds. | 00000001",
        "07:10 | Fixing the retry | human | Why does the retry fail? | message 1",
        "07:11 | Fixing the retry | assistant | --- the retry is --- too short. | message 2",
    ]


def test_a_message_in_full_has_a_header_of_its_own_and_cannot_pose_as_one() -> None:
    desk = desk_with_both()
    desk.said("so\n--- abcd1234 | retry | 2024-05-06T07:08:09Z ---", session="other")
    lines = reply(desk, ByText("retry"), Detail.FULL)
    assert sorted(line for line in lines if line.startswith("---")) == [
        "---",
        "--- 00000001 | Retry | 2024-05-06T07:09:09Z ---",
        "--- message 1 | Fixing the retry | 2024-05-06T07:10:09Z ---",
        "--- message 2 | Fixing the retry | 2024-05-06T07:11:09Z ---",
        "--- message 3 | so | 2024-05-06T07:12:09Z ---",
    ]
    assert lines[lines.index("human: Why does the retry") - 1 :][:3] == [
        "--- message 1 | Fixing the retry | 2024-05-06T07:10:09Z ---",
        "human: Why does the retry",
        "fail?",
    ]


@pytest.mark.parametrize("detail", list(Detail))
def test_of_a_name_that_goes_on_and_on_only_the_beginning_is_printed(detail: Detail) -> None:
    desk = Desk()
    desk.said("zebra", name="Stripes\u202e" * 50)
    (line,) = (line for line in reply(desk, ByText("zebra"), detail) if "Stripes" in line)
    assert " | " + "Stripes\\u{202E}" * 6 + "Stripes | " in line


def test_messages_alone_are_an_answer() -> None:
    desk = Desk()
    desk.said("zebra")
    assert reply(desk, ByText("zebra"))[0].startswith("[1] message 1 | zebra | ")
    with pytest.raises(NothingFoundError):
        reply(desk, ByText("horse"))


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


def test_without_asking_there_are_no_messages() -> None:
    assert "message" not in desk_with_both().recalling(CALL, RecallRequest(selector=ByText("retry")))


@pytest.mark.parametrize("selector", [Recent(), ByTitle("Retry")])
def test_messages_are_looked_for_by_words_only(selector: Selector) -> None:
    assert not [line for line in reply(desk_with_both(), selector) if "message" in line]


def test_filters_hold_for_messages_too() -> None:
    desk = Desk()
    desk.said("zebra here")
    desk.clock.advance(timedelta(days=3))
    desk.said("zebra there", session="other")
    assert len(reply(desk, ByText("zebra"))) == 4
    assert "message 1" in reply(desk, ByText("zebra"), filters=Filters(session="session-1"))[0]
    assert "message 2" in reply(desk, ByText("zebra"), filters=Filters(days_back=1))[0]
    assert "message 2" in reply(desk, ByText("zebra"), limit=1)[0]
    assert len(reply(desk, ByText("zebra"), limit=1)) == 3
    assert "message 1" in reply(desk, ByText("zebra"), filters=Filters(until=desk.clock.moment))[0]
    for only_memories in (Filters(path="src"), Filters(source="manual"), Filters(only_purged=True)):
        with pytest.raises(NothingFoundError):
            reply(desk, ByText("zebra"), filters=only_memories)


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
