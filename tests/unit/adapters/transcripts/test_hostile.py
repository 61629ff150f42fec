"""Damaged and hostile records, which no reader trips over, whoever's they are."""

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import Batch
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.entry_points import adapter
from lamella_adapters.transcripts import files, records
from tests.unit.adapters.transcripts import samples
from tests.unit.adapters.transcripts.samples import SESSION, batches

CLIENTS = ("codex", "gemini", "copilot", "cursor", "chatgpt", "claude_ai")
TEXTS = ["How hot?", "900 °C.", "Thanks."]

KEYS = [
    *("type", "payload", "content", "id", "role", "text", "parts", "author", "message", "mapping", "parent"),
    *("data", "timestamp", "sessionId", "toolCalls", "result", "thoughts", "$set", "messages", "arguments"),
    *("output", "summary", "chat_messages", "sender", "attachments", "create_time", "current_node", "metadata"),
    *("call_id", "name", "namespace", "context", "cwd", "uuid", "title", "recipient", "content_type", "input"),
]
KINDS = [
    *("response_item", "session_meta", "message", "function_call", "function_call_output", "custom_tool_call"),
    *("reasoning", "user", "gemini", "assistant", "user.message", "assistant.message", "tool.execution_start"),
    *("tool.execution_complete", "session.start", "tool_use", "tool_result", "thinking", "human", "tool", "text"),
]
WORDS = st.sampled_from([*KINDS, "", " ", "a", "\ud800", "\0"]) | st.text(max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | WORDS, inner, max_size=4),
    max_leaves=12,
)


def recorded(client: str, folder: Path) -> Path:
    """The only file of a client that has recorded one session."""
    getattr(samples, client)(folder, SESSION, TEXTS)
    (path,) = (each for each in folder.rglob("*") if each.is_file())
    return path


def read(client: str, folder: Path) -> list[Batch]:
    """All batches of what a client has recorded."""
    return batches(adapter("transcripts", client)(folder))


@pytest.mark.parametrize("client", CLIENTS)
@given(values=st.lists(JSON, min_size=1, max_size=3))
def test_no_value_of_any_field_raises(client: str, values: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = recorded(client, Path(name))
        if path.suffix == ".json":
            path.write_text(json.dumps([*json.loads(path.read_text("utf-8")), *values]), "utf-8")
        else:
            more = "".join(json.dumps(each) + "\n" for each in values)
            path.write_text(path.read_text("utf-8") + more, "utf-8")
        texts = [draft.text for batch in read(client, Path(name)) for draft in batch.drafts]
        assert texts[: len(TEXTS)] == TEXTS


@pytest.mark.parametrize("client", CLIENTS)
@given(data=st.data())
def test_no_change_of_bytes_raises(client: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = recorded(client, Path(name))
        whole = path.read_bytes()
        # Behind the bracket that an export begins with.
        start = data.draw(st.integers(1, len(whole)))
        end = min(len(whole), start + data.draw(st.integers(0, 200)))
        path.write_bytes(whole[:start] + data.draw(st.binary(max_size=20)) + whole[end:])
        with suppress(*([TranscriptsUnreadableError] if path.suffix == ".json" else [])):
            read(client, Path(name))


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_too_deep_too_large_or_too_much_is_counted(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_VALUES", 20_000)
    monkeypatch.setattr(files, "MAX_RECORD_BYTES", 100_000)
    monkeypatch.setattr("lamella_adapters.transcripts.elements.MAX_ELEMENT_BYTES", 100_000)
    path = recorded(client, tmp_path)
    deep = '{"a": ' + "[" * 8_000 + "]" * 8_000 + "}"
    bad = [deep, '{"a": "' + "x" * 120_000 + '"}', '{"a": [' + "{}," * 15_000 + "{}]}"]
    content = path.read_text("utf-8")
    if path.suffix == ".json":
        path.write_text(f"[{','.join(bad)},{content.strip()[1:]}", "utf-8")
    else:
        path.write_text("\n".join([*bad, content]), "utf-8")
    (batch,) = read(client, tmp_path)
    assert [draft.text for draft in batch.drafts] == TEXTS
    assert (batch.skipped["broken"], batch.skipped["too large"]) == (1, 2)
