"""Sessions as each client records them, and helpers that read them."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.ports.transcripts import Transcripts

SESSION = "5e551011-0000-4000-8000-000000000001"
HOME = "/home/ada/kiln"
BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)


def at(number: int) -> str:
    """The time of the record with this number."""
    return (BEGUN + timedelta(seconds=number)).isoformat().replace("+00:00", "Z")


def id_of(*parts: object) -> str:
    """An id that is the same for the same parts."""
    return str(uuid5(NAMESPACE_URL, " ".join(map(str, parts))))


def write(path: Path, *records: Any) -> Path:
    """Write records, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


def batches(transcripts: Transcripts) -> list[Batch]:
    """All batches of all sources."""
    found = []
    for source in transcripts.sources():
        batch = transcripts.read(source, "")
        found.append(batch)
        while not batch.complete:
            batch = transcripts.read(source, batch.position)
            found.append(batch)
    return found


def drafts(transcripts: Transcripts) -> list[MessageDraft]:
    """All messages of all sources."""
    return [draft for batch in batches(transcripts) for draft in batch.drafts]


def said(transcripts: Transcripts) -> list[tuple[Role, str]]:
    """The roles and texts of all sources."""
    return [(draft.role, draft.text) for draft in drafts(transcripts)]


def skipped(transcripts: Transcripts) -> dict[str, int]:
    """Return how many records of the only source were skipped, by the reason."""
    (batch,) = batches(transcripts)
    return dict(batch.skipped)


def claude_code(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Claude Code does."""
    kinds = ("user", "assistant")
    records = [
        {
            "type": kinds[number % 2],
            "uuid": id_of(session, number, text),
            "sessionId": session,
            "timestamp": at(number),
            "cwd": HOME,
            "message": {"role": kinds[number % 2], "content": text},
        }
        for number, text in enumerate(texts)
    ]
    write(folder / f"{session}.jsonl", *records)


def codex_item(number: int, payload: dict[str, Any]) -> dict[str, Any]:
    """A record of Codex."""
    return {"timestamp": at(number), "ordinal": number, "type": "response_item", "payload": payload}


def codex_meta(session: str = SESSION, **more: Any) -> dict[str, Any]:
    """The first record of Codex."""
    return {"timestamp": at(0), "type": "session_meta", "payload": {"id": session, "cwd": HOME, **more}}


def codex_said(number: int, role: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A message of Codex."""
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return codex_item(number, {"type": "message", "role": role, "content": content, **more})


def codex(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Codex does."""
    roles = ("user", "assistant")
    items = [codex_said(number, roles[number % 2], text) for number, text in enumerate(texts)]
    write(folder / f"rollout-{session}.jsonl", codex_meta(session), *items)


def gemini_said(number: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A message of Gemini CLI."""
    return {"id": id_of(number, kind), "timestamp": at(number), "type": kind, "content": content, **more}


def gemini(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Gemini CLI does."""
    kinds = ("user", "gemini")
    said = [gemini_said(number, kinds[number % 2], text) for number, text in enumerate(texts)]
    write(folder / f"session-{session}.jsonl", {"sessionId": session, "startTime": at(0), "kind": "main"}, *said)


def copilot_event(kind: str, number: int, **data: Any) -> dict[str, Any]:
    """An event of Copilot CLI."""
    return {"type": kind, "data": data, "id": id_of(kind, number, data), "timestamp": at(number)}


def copilot(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Copilot CLI does."""
    kinds = ("user.message", "assistant.message")
    start = copilot_event("session.start", 0, sessionId=session, context={"cwd": HOME})
    said = [
        copilot_event(kinds[number % 2], number, content=text, transformedContent=f"<now/>{text}", of=session)
        for number, text in enumerate(texts)
    ]
    write(folder / session / "events.jsonl", start, *said)


def cursor(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a session as Cursor does."""
    roles = ("user", "assistant")
    said = [
        {"role": roles[number % 2], "message": {"content": [{"type": "text", "text": text}]}}
        for number, text in enumerate(texts)
    ]
    write(folder / "agent-transcripts" / session / f"{session}.jsonl", *said)


OPENCODE_SCHEMA = """
CREATE TABLE IF NOT EXISTS session (
    id text PRIMARY KEY, directory text, title text, parent_id text, time_created integer
);
CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, data text);
CREATE TABLE IF NOT EXISTS part (
    id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text
);
"""


def opencode_database(folder: Path, client: str = "opencode") -> sqlite3.Connection:
    """The database of opencode or a relative, in WAL mode as the client has it."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / f"{client}.db")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(OPENCODE_SCHEMA)
    return connection


def opencode_said(
    connection: sqlite3.Connection, session: str, number: int, message: dict[str, Any], *parts: Any
) -> None:
    """Write a message of opencode with its parts. What is no object is written as it is."""
    millis = int((BEGUN + timedelta(seconds=number)).timestamp() * 1000)
    id = f"msg_{id_of(session, number, message, *parts)}"
    connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (id, session, millis, json.dumps(message)))
    for index, part in enumerate(parts):
        data = json.dumps(part) if isinstance(part, dict) else part
        connection.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?)", (f"prt_{id}_{index}", id, session, millis, data)
        )
    connection.commit()


def opencode_session(connection: sqlite3.Connection, session: str = SESSION, **more: Any) -> None:
    """Write a session of opencode without messages."""
    fields = {"directory": HOME, "title": "New session - 2026", "parent_id": None, "time_created": 1, **more}
    connection.execute(
        "INSERT OR REPLACE INTO session VALUES (:id, :directory, :title, :parent_id, :time_created)",
        {"id": session, **fields},
    )
    connection.commit()


def opencode(folder: Path, session: str, texts: Sequence[str], client: str = "opencode") -> None:
    """Record a session as opencode does."""
    roles = ("user", "assistant")
    with closing(opencode_database(folder, client)) as connection:
        opencode_session(connection, session)
        connection.execute("DELETE FROM message WHERE session_id = ?", (session,))
        connection.execute("DELETE FROM part WHERE session_id = ?", (session,))
        for number, text in enumerate(texts):
            message = {"role": roles[number % 2], "time": {"completed": 1}}
            opencode_said(connection, session, number, message, {"type": "text", "text": text})


kilo = partial(opencode, client="kilo")
"""Record a session as Kilo does."""


def export(folder: Path, conversation: dict[str, Any], id: str) -> None:
    """Put a conversation into an export, in place of the one with the same id."""
    path = folder / "conversations.json"
    before = json.loads(path.read_text("utf-8")) if path.exists() else []
    others = [each for each in before if each[id] != conversation[id]]
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*others, conversation], indent=1), "utf-8")


def chatgpt_node(number: int, role: str, text: Any, parent: str | None, **more: Any) -> dict[str, Any]:
    """A node of ChatGPT, whose id is its number."""
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    seconds = (BEGUN + timedelta(seconds=number)).timestamp()
    message = {"id": str(number), "author": {"role": role}, "create_time": seconds, "content": content, **more}
    return {"id": str(number), "parent": parent, "children": [], "message": {"recipient": "all", **message}}


def chatgpt_conversation(nodes: Sequence[dict[str, Any]], session: str = SESSION, **more: Any) -> dict[str, Any]:
    """A conversation of ChatGPT, which ends with the last node."""
    return {
        "conversation_id": session,
        "title": "New chat",
        "create_time": BEGUN.timestamp(),
        "current_node": nodes[-1]["id"],
        "mapping": {each["id"]: each for each in nodes},
        **more,
    }


def chatgpt(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a conversation as an export of ChatGPT has it."""
    roles = ("user", "assistant")
    nodes = [
        chatgpt_node(number, roles[number % 2], text, str(number - 1) if number else None)
        for number, text in enumerate(texts)
    ]
    export(folder, chatgpt_conversation(nodes, session), "conversation_id")


def claude_ai(folder: Path, session: str, texts: Sequence[str]) -> None:
    """Record a conversation as an export of claude.ai has it."""
    senders = ("human", "assistant")
    messages = [
        {
            "uuid": id_of(session, number, text),
            "sender": senders[number % 2],
            "created_at": at(number),
            "text": text,
            "content": [{"type": "text", "text": text}],
        }
        for number, text in enumerate(texts)
    ]
    export(folder, {"uuid": session, "name": "", "created_at": at(0), "chat_messages": messages}, "uuid")
