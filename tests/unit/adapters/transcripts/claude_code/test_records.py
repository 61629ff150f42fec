"""Roles and texts of the records of a transcript."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lamella.domain.conversations.message import MessageDraft, Role
from tests.unit.adapters.transcripts.claude_code.samples import drafts, only, record, said, transcript
from tests.unit.support.tables import cases


def test_a_message_has_its_session_its_time_and_its_record_as_key(tmp_path: Path) -> None:
    parts = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hello."}]
    expected: Any = {"session": "session", "at": datetime(2026, 1, 5, 9, tzinfo=UTC)}
    assert drafts(transcript(tmp_path, record("assistant", parts))) == [
        MessageDraft(key="one/0", role=Role.THOUGHT, text="Hm.", **expected),
        MessageDraft(key="one/1", role=Role.ASSISTANT, text="Hello.", **expected),
    ]


def test_what_memory_gave_stays_out_also_where_its_result_comes_in_a_later_batch(tmp_path: Path) -> None:
    name = "mcp__plugin_lamella_lamella__recall"
    call = {"type": "tool_use", "id": "call", "name": name, "input": {"query": "a"}}
    reply = {"type": "tool_result", "tool_use_id": "call", "content": "[1] remembered"}
    file = transcript(tmp_path, record("assistant", [call]))
    transcripts, source = only(file)
    position = transcripts.read(source, "").position
    transcript(tmp_path, record("assistant", [call]), record(content=[reply], uuid="two"))
    batch = transcripts.read(source, position)
    assert (batch.drafts, batch.skipped) == ((), {"of memory's own tools": 1})
    # The client may give the same id to another call later.
    other = [{**call, "name": "Bash"}]
    file = transcript(
        tmp_path,
        record("assistant", [call]),
        record(content=[reply], uuid="two"),
        record("assistant", other, uuid="three"),
        record(content=[reply], uuid="four"),
    )
    assert said(file) == [(Role.TOOL, 'Bash {"query":"a"}'), (Role.TOOL_RESULT, "[1] remembered")]


@cases
def test_what_a_user_said_is_told_from_what_the_client_wrote(
    tmp_path: Path, text: str, expected: tuple[Role, str] | None
) -> None:
    assert said(transcript(tmp_path, record(content=text))) == ([expected] if expected else [])


def test_the_name_that_a_user_gave_goes_before_one_that_was_made_up(tmp_path: Path) -> None:
    made = {"type": "ai-title", "aiTitle": "Ports  and\nsuch", "sessionId": "session"}
    given = {"type": "custom-title", "customTitle": "Ports", "sessionId": "session"}
    file = transcript(tmp_path, made)
    transcripts, source = only(file)
    first = transcripts.read(source, "")
    assert first.names == {"session": "Ports and such"}
    transcript(tmp_path, made, given, made)
    second = transcripts.read(source, first.position)
    assert second.names == {"session": "Ports"}
    transcript(tmp_path, made, given, made, made)
    assert transcripts.read(source, second.position).names == {}


def test_a_message_without_a_time_has_that_of_the_record_before_it(tmp_path: Path) -> None:
    records = [
        record(uuid="none yet", timestamp="yesterday"),
        record("attachment", timestamp="2026-01-05T10:00:00+01:00"),
        *(
            record(uuid=f"{number}", timestamp=time)
            for number, time in enumerate(
                ["", None, 7, "0001-01-01T00:00+23", "0001-01-01T00:00Z", "9999-12-31T23:59:59Z"]
            )
        ),
        record(uuid="naive", timestamp="2026-01-05T09:30:00"),
    ]
    nine = datetime(2026, 1, 5, 9, tzinfo=UTC)
    file = transcript(tmp_path, *records)
    assert [(each.key, each.at) for each in drafts(file)] == [
        *((f"{number}/0", nine) for number in range(6)),
        ("naive/0", nine + timedelta(minutes=30)),
    ]
    transcripts, source = only(file)
    assert transcripts.read(source, "").skipped == {"without id, session or time": 1, "of another kind": 1}
