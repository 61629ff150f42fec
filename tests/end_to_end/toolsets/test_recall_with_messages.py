"""`recall(include_messages=true)`: memories first, then what was said, as a client meets them over the wire."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lamella.container import Settings, running
from lamella.domain.call import Call
from tests.end_to_end.support.tools import Memory, count, serving

SAID = [
    ("user", "Why does the upload retry give up?"),
    ("assistant", "--- The upload retry stops after three attempts."),
]
DAY = "2024-07-08"


def imported(memory: Memory, said: list[tuple[str, str]], *, session: str = "session-one") -> None:
    """Takes over a conversation, called Uploads, into the project of a server that is running."""
    folder = memory.project.parent
    records: list[dict[str, Any]] = [
        {
            "type": kind,
            "uuid": f"{session}-{number}",
            "sessionId": session,
            "timestamp": f"{DAY}T09:{number // 60:02}:{number % 60:02}.000Z",
            "message": {"role": kind, "content": text},
        }
        for number, (kind, text) in enumerate(said)
    ]
    records.append({"type": "custom-title", "customTitle": "Uploads", "sessionId": session})
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    call = Call(directory=memory.project)
    with running(Settings(data_directory=folder / "data")) as lamella:
        account = list(lamella.import_transcripts(call, path))[-1]
    assert account.messages == len(said)


def body(reply: str) -> list[str]:
    """The lines of a reply before its footer, without scores."""
    lines = reply.rpartition("\n---\n")[0].split("\n")
    return [re.sub(r" \| \d+\.\d\d \| ", " | ", line) for line in lines]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A server that knows one memory and two messages of an upload, of which only questions are asked."""
    with serving(tmp_path_factory.mktemp("both")) as memory:
        memory.save("The upload retry waits five seconds.", title="Retry")
        imported(memory, SAID)
        yield memory


def today(reply: str) -> str:
    (day,) = set(re.findall(r"\d{4}-\d\d-\d\d", reply)) - {DAY}
    return str(day)


def test_an_index_has_messages_behind_the_memories(both: Memory) -> None:
    reply = both.recall(query="upload retry", include_messages=True)
    (id,) = re.findall(r"^\[1\] ([0-9a-f]{8}) ", reply)
    assert body(reply) == [
        f"[1] {id} | Retry | The upload retry waits five seconds. | {today(reply)}",
        f"[2] message 1 | Uploads | human: Why does the upload retry give up? | {DAY}",
        f"[3] message 2 | Uploads | assistant: --- The upload retry stops after three attempts. | {DAY}",
    ]
    assert re.search(r"^---\n3 result\(s\) \| ~\d+ tokens \| detail: compact", reply, re.MULTILINE)


def test_a_timeline_has_messages_at_their_time(both: Memory) -> None:
    reply = both.recall(query="upload retry", include_messages=True, detail="timeline")
    (id,) = re.findall(r"\| ([0-9a-f]{8})$", reply, re.MULTILINE)
    lines = [re.sub(r"^\d\d:\d\d(?= \| Retry)", "now", line) for line in body(reply)]
    assert lines == [
        DAY,
        "09:00 | Uploads | human | Why does the upload retry give up? | message 1",
        "09:00 | Uploads | assistant | --- The upload retry stops after three attempts. | message 2",
        today(reply),
        f"now | Retry | manual | The upload retry waits five seconds. | {id}",
    ]


def test_in_full_each_message_has_a_header_and_its_whole_text(both: Memory) -> None:
    reply = both.recall(query="upload retry", include_messages=True, detail="full")
    assert body(reply)[1:] == [
        "The upload retry waits five seconds.",
        f"--- message 1 | Uploads | {DAY}T09:00:00Z ---",
        "human: Why does the upload retry give up?",
        f"--- message 2 | Uploads | {DAY}T09:00:01Z ---",
        "assistant: --- The upload retry stops after three attempts.",
    ]


def test_messages_are_found_only_where_they_are_asked_for(both: Memory) -> None:
    assert "message" not in both.recall(query="upload retry")
    assert "message" not in both.recall(include_messages=True)
    assert "message" not in both.recall(title="Retry", include_messages=True)
    assert "message" not in both.recall(query="upload retry", include_messages=True, session_only=True)
    assert "message" not in both.recall(query="upload retry", include_messages=True, days_back=1)
    assert both.refused(query="attempts") == (
        "No memories found matching 'attempts'. Try broader search terms or check the ID."
    )
    assert body(both.recall(query="attempts", include_messages=True)) == [
        f"[1] message 2 | Uploads | assistant: --- The upload retry stops after three attempts. | {DAY}"
    ]
    assert both.refused(query="upload", include_messages=True, path="src") == (
        "No memories found matching 'upload'. Try broader search terms or check the ID."
    )


def test_cursors_lead_through_memories_and_messages_once_each(tmp_path: Path) -> None:
    with serving(tmp_path) as memory:
        story = "A long story about databases. " * 6
        ids = [memory.save(f"Memory {number}. {story}")[:8] for number in range(15)]
        imported(memory, [("user", f"Saying {number}. {story}") for number in range(30)])
        arguments: dict[str, Any] = {"query": "databases", "limit": 50, "detail": "full", "include_messages": True}
        shown: list[str] = []
        cursor = None
        while cursor or not shown:
            reply = memory.recall(**arguments, cursor=cursor)
            assert count(reply) <= 2_000
            shown += re.findall(r"^--- (message \d+|[0-9a-f]{8}) \|", reply, re.MULTILINE)
            following = re.search(r" \| next: (\S{1,60})", reply)
            cursor = following and following.group(1)
        assert sorted(shown[:15]) == sorted(ids)
        assert sorted(shown[15:]) == sorted(f"message {number}" for number in range(1, 31))
        imported(memory, [("user", "Another word about databases.")], session="session-two")
        first = memory.recall(**arguments)
        cursor = re.findall(r" \| next: (\S{1,60})", first)[0]
        imported(memory, [("user", "One more word about databases.")], session="session-three")
        assert memory.refused(**arguments, cursor=cursor) == (
            "This cursor is out of date. Repeat the call without it."
        )
