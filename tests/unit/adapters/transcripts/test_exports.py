"""Exports of ChatGPT and claude.ai."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.entry_points import adapter
from lamella_adapters.transcripts import recorded
from lamella_adapters.transcripts.chatgpt import ChatGPTTranscripts
from lamella_adapters.transcripts.claude_ai import ClaudeAITranscripts
from lamella_adapters.transcripts.exports import ExportedTranscripts
from tests.unit.adapters.transcripts.samples import (
    BEGUN,
    SESSION,
    chatgpt_conversation,
    chatgpt_node,
    claude_ai,
    drafts,
    said,
    skipped,
)
from tests.unit.support.tables import cases


def chatgpt(folder: Path, *nodes: dict[str, Any], **more: Any) -> ChatGPTTranscripts:
    """An export of ChatGPT with one conversation."""
    (folder / "conversations.json").write_text(json.dumps([chatgpt_conversation(nodes, **more)]), "utf-8")
    return ChatGPTTranscripts(folder)


@pytest.mark.parametrize("client", ["chatgpt", "claude_ai"])
def test_an_export_has_to_be_given(client: str) -> None:
    with pytest.raises(TranscriptsUnreadableError, match=r"give the path of its conversations\.json"):
        adapter("transcripts", client)(None)


def test_conversations_of_a_folder_are_read_and_nothing_else_of_an_export(tmp_path: Path) -> None:
    claude_ai(tmp_path, SESSION, ["How hot?"])
    for name in ("users.json", "projects.json", "chat.html"):
        (tmp_path / name).write_text("[{}]")
    (tmp_path / "conversations.json").rename(tmp_path / "conversations-000.json")
    claude_ai(tmp_path, "other", ["How cold?"])
    transcripts = ClaudeAITranscripts(tmp_path)
    assert [(Path(each.place).name, each.directory) for each in transcripts.sources()] == [
        ("conversations-000.json", None),
        ("conversations.json", None),
    ]
    assert said(transcripts) == [(Role.HUMAN, "How hot?"), (Role.HUMAN, "How cold?")]


@pytest.mark.parametrize("time", [None, "soon", True, float("inf"), 1e30, -1])
def test_a_message_without_time_has_that_of_the_one_before(tmp_path: Path, time: Any) -> None:
    transcripts = chatgpt(
        tmp_path,
        chatgpt_node(0, "user", "How hot?", None, create_time=time),
        chatgpt_node(1, "assistant", "900 °C.", "0"),
        chatgpt_node(2, "user", "Thanks.", "1", create_time=time),
    )
    seconds = [(draft.at - BEGUN).total_seconds() for draft in drafts(transcripts)]
    assert seconds == [0, 1, 1]


def test_a_tree_that_leads_in_a_circle_or_nowhere_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    first, second = chatgpt_node(0, "user", "How hot?", "1"), chatgpt_node(1, "assistant", "900 °C.", "0")
    assert len(said(chatgpt(tmp_path, first, second))) == 2
    for more in ({"current_node": "gone"}, {"current_node": None}):
        assert len(said(chatgpt(tmp_path, first, second, **more))) == 2
    lost = chatgpt_node(1, "assistant", "900 °C.", "gone")
    assert said(chatgpt(tmp_path, first, lost)) == [(Role.ASSISTANT, "900 °C.")]


@cases
def test_a_conversation_of_chatgpt_without_messages_is_counted(
    tmp_path: Path, more: dict[str, Any], reason: str
) -> None:
    transcripts = chatgpt(tmp_path, chatgpt_node(0, "user", "How hot?", None), **more)
    assert (said(transcripts), skipped(transcripts)) == ([], {reason: 1})


@pytest.mark.parametrize("client", [ChatGPTTranscripts, ClaudeAITranscripts])
@pytest.mark.parametrize("more", [b"", b', {"uuid": "half', b"]}, {}]"])
@pytest.mark.parametrize("most", [1, 500])
def test_a_damaged_export_is_read_up_to_the_damage_and_says_so_each_time(
    tmp_path: Path, client: type[ExportedTranscripts], more: bytes, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "BATCH_MESSAGES", most)
    if client is ClaudeAITranscripts:
        claude_ai(tmp_path, SESSION, ["How hot?"])
    else:
        chatgpt(tmp_path, chatgpt_node(0, "user", "How hot?", None))
    path = tmp_path / "conversations.json"
    whole = path.read_bytes().strip().removesuffix(b"]").rstrip()
    path.write_bytes(whole + more)
    transcripts = client(path)
    (source,) = transcripts.sources()
    batch = transcripts.read(source, "")
    assert ([draft.text for draft in batch.drafts], batch.waiting) == (["How hot?"], False)
    for _ in range(2):
        with pytest.raises(TranscriptsUnreadableError, match=f"or incomplete, from byte {len(whole)} on"):
            transcripts.read(source, batch.position)
    position = batch.position
    # A whole export stays whole, whoever writes it again.
    for end in (b"]", b"]", b"]\n\n"):
        path.write_bytes(whole + end)
        os.utime(path)
        batch = transcripts.read(source, position)
        position = batch.position
        assert (batch.complete, batch.waiting, batch.read) == (True, False, len(whole + end))


@pytest.mark.parametrize("read_before", [False, True])
def test_an_export_of_another_program_is_named(tmp_path: Path, read_before: bool) -> None:
    right = chatgpt(tmp_path, chatgpt_node(0, "user", "How hot?", None))
    (source,) = right.sources()
    position = right.read(source, "").position if read_before else ""
    with pytest.raises(TranscriptsUnreadableError, match=r"ChatGPT\. .*: lamella import chatgpt FILE"):
        ClaudeAITranscripts(tmp_path).read(source, position)


@cases
def test_what_is_no_list_says_so(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(content)
    transcripts = ChatGPTTranscripts(path)
    (source,) = transcripts.sources()
    with pytest.raises(TranscriptsUnreadableError, match=rf"^conversations\.json cannot be read: {reason}\."):
        transcripts.read(source, "")
