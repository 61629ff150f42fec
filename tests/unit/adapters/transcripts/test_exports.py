"""Exports of ChatGPT and claude.ai."""

import json
from pathlib import Path
from typing import Any

import pytest

from lamella.domain.conversations.message import Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.entry_points import adapter
from lamella_adapters.transcripts.chatgpt import ChatGPTTranscripts
from lamella_adapters.transcripts.claude_ai import ClaudeAITranscripts
from tests.unit.adapters.transcripts.samples import (
    BEGUN,
    SESSION,
    at,
    batches,
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


def claude(folder: Path, *messages: dict[str, Any], **more: Any) -> ClaudeAITranscripts:
    """An export of claude.ai with one conversation."""
    conversation = {"uuid": SESSION, "created_at": at(0), "chat_messages": messages, **more}
    (folder / "conversations.json").write_text(json.dumps([conversation]), "utf-8")
    return ClaudeAITranscripts(folder)


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


def test_branches_that_were_abandoned_and_what_was_hidden_are_skipped_and_counted(tmp_path: Path) -> None:
    hidden = {"is_visually_hidden_from_conversation": True}
    transcripts = chatgpt(
        tmp_path,
        chatgpt_node(0, "system", "", None, metadata=hidden),
        chatgpt_node(1, "user", {"content_type": "user_editable_context", "text": "I am a potter."}, "0"),
        chatgpt_node(2, "user", "How hot?", "1"),
        chatgpt_node(3, "assistant", "Abandoned.", "2"),
        chatgpt_node(4, "assistant", "900 °C.", "2"),
        chatgpt_node(5, "user", "Abandoned, too.", "3", metadata=hidden),
        chatgpt_node(6, "system", "Be brief.", "4", metadata=hidden),
        current_node="6",
    )
    assert said(transcripts) == [(Role.HUMAN, "How hot?"), (Role.ASSISTANT, "900 °C.")]
    assert skipped(transcripts) == {"meant for the model only": 2, "of abandoned branches": 2}


def test_messages_of_claude_ai_of_another_sender_are_counted(tmp_path: Path) -> None:
    messages = [
        {"uuid": str(number), "sender": sender, "text": "Hi"} for number, sender in enumerate(("human", "bot"))
    ]
    assert skipped(claude(tmp_path, *messages)) == {"of another kind": 1}


def test_messages_of_chatgpt_are_read_as_what_they_are(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file://1"}
    spoken = {"content_type": "audio_transcription", "text": "And now?"}
    contents: list[tuple[str, Any, dict[str, Any]]] = [
        ("user", {"content_type": "multimodal_text", "parts": [picture, "How hot?", spoken, None, 7]}, {}),
        ("assistant", {"content_type": "thoughts", "thoughts": [{"summary": "Damper", "content": "Open?"}]}, {}),
        ("assistant", {"content_type": "reasoning_recap", "content": "Thought for 3 s"}, {}),
        ("assistant", {"content_type": "code", "text": "print(900)"}, {"recipient": "python"}),
        ("tool", {"content_type": "execution_output", "text": "900"}, {}),
        ("system", "A notice.", {}),
        ("assistant", "900 °C.", {}),
    ]
    nodes = [
        chatgpt_node(number, role, content, str(number - 1) if number else None, **more)
        for number, (role, content, more) in enumerate(contents)
    ]
    transcripts = chatgpt(tmp_path, *nodes, title="How\nhot")
    assert said(transcripts) == [
        (Role.HUMAN, "[image]\nHow hot?\nAnd now?"),
        (Role.THOUGHT, "Damper\nOpen?"),
        (Role.THOUGHT, "Thought for 3 s"),
        (Role.TOOL, "python print(900)"),
        (Role.TOOL_RESULT, "900"),
        (Role.SYSTEM, "A notice."),
        (Role.ASSISTANT, "900 °C."),
    ]
    assert [dict(batch.names) for batch in batches(transcripts)] == [{SESSION: "How hot"}]


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


def test_messages_of_claude_ai_are_read_as_what_they_are(tmp_path: Path) -> None:
    message = {"uuid": "1", "sender": "human", "created_at": at(1)}
    parts = [
        {"type": "thinking", "thinking": "The damper?"},
        {"type": "tool_use", "name": "search", "input": {"q": "kiln"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "900"}]},
        {"type": "text", "text": "900 °C."},
    ]
    pasted = [{"file_name": "kiln.py", "extracted_content": "HEAT = 900"}, {"extracted_content": ""}, 7]
    transcripts = claude(
        tmp_path,
        {**message, "text": "How hot?", "content": [], "attachments": pasted},
        {**message, "uuid": "2", "sender": "assistant", "text": "[unsupported]", "content": parts},
        {**message, "uuid": "3", "sender": "system", "text": "Be brief."},
        {**message, "uuid": "", "text": "No id."},
        name="The kiln",
    )
    assert said(transcripts) == [
        (Role.HUMAN, "How hot?"),
        (Role.HUMAN, "[kiln.py]\nHEAT = 900"),
        (Role.THOUGHT, "The damper?"),
        (Role.TOOL, 'search {"q":"kiln"}'),
        (Role.TOOL_RESULT, "900"),
        (Role.ASSISTANT, "900 °C."),
    ]
    assert [dict(batch.names) for batch in batches(transcripts)] == [{SESSION: "The kiln"}]


def test_a_conversation_of_claude_ai_without_messages_is_counted(tmp_path: Path) -> None:
    assert skipped(claude(tmp_path, chat_messages=None)) == {"of another kind": 1}
    assert skipped(claude(tmp_path)) == {"without words": 1}


@cases
def test_what_is_no_list_says_so(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(content)
    transcripts = ChatGPTTranscripts(path)
    (source,) = transcripts.sources()
    with pytest.raises(TranscriptsUnreadableError, match=rf"^conversations\.json cannot be read: {reason}\."):
        transcripts.read(source, "")
