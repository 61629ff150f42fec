"""`recall(include_messages=true)`: memories first, then what was said, as a client meets them over the wire."""

import re
from pathlib import Path
from typing import Any

from lamella.container import running
from lamella.domain.call import Call
from lamella.settings import Settings
from tests.end_to_end.support.tools import Memory, serving
from tests.end_to_end.support.transcripts import record, write

SAID = [
    ("user", "Why does the upload retry give up?"),
    ("assistant", "--- The upload retry stops after three attempts."),
]
DAY = "2024-07-08"


def imported(memory: Memory, said: list[tuple[str, str]], *, session: str = "session-one") -> None:
    """Takes over a conversation, called Uploads, into the project of a server that is running."""
    folder = memory.project.parent
    records = [
        record(kind, number, text, session=session, folder=memory.project, at=f"{DAY}T09:{number:02}:00.000Z")
        for number, (kind, text) in enumerate(said)
    ]
    path = folder / f"{session}.jsonl"
    write(path, [*records, {"type": "custom-title", "customTitle": "Uploads", "sessionId": session}])
    call = Call(directory=memory.project)
    with running(Settings(data_directory=folder / "data")) as lamella:
        account = list(lamella.import_transcripts(call, path))[-1]
    assert account.messages == len(said)


def test_an_index_has_messages_behind_the_memories_and_a_later_one_makes_cursors_stale(tmp_path: Path) -> None:
    with serving(tmp_path) as memory:
        memory.save("The upload retry waits five seconds.", title="Retry")
        imported(memory, SAID)
        reply = memory.recall(query="upload retry", include_messages=True)
        (id,) = re.findall(r"^\[1\] ([0-9a-f]{8}) ", reply)
        (today,) = set(re.findall(r"\d{4}-\d\d-\d\d", reply)) - {DAY}
        body, _, footer = reply.rpartition("\n---\n")
        assert [re.sub(r" \| \d+\.\d\d \| ", " | ", line) for line in body.split("\n")] == [
            f"[1] {id} | Retry | The upload retry waits five seconds. | {today}",
            f"[2] message 2 | Uploads | assistant: --- The upload retry stops after three attempts. | {DAY}",
            f"[3] message 1 | Uploads | human: Why does the upload retry give up? | {DAY}",
        ]
        assert re.match(r"3 result\(s\) \| ~\d+ tokens \| detail: compact", footer)
        assert "message" not in memory.recall(query="upload retry")

        story = "A long story about databases. " * 6
        imported(memory, [("user", f"Saying {number}. {story}") for number in range(30)], session="session-two")
        asked: dict[str, Any] = {"query": "databases", "limit": 50, "detail": "full", "include_messages": True}
        cursor = re.findall(r" \| next: (\S{1,60})", memory.recall(**asked))[0]
        assert "\n--- message " in memory.recall(**asked, cursor=cursor)
        imported(memory, [("user", "One more word about databases.")], session="session-three")
        stale = "This cursor is out of date. Repeat the call without it."
        assert memory.refused(**asked, cursor=cursor) == stale
