"""Texts of messages as people read them."""

import json
from collections.abc import Mapping
from typing import Any

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.records import OWN_NAME, Part, Record

_TEXTS = ("text", "input_text", "output_text", "summary_text", "reasoning_text")
_MEDIA = ("image", "document", "audio")


def call(name: str, arguments: object) -> str:
    """Return a tool call as text: the name, and the arguments as JSON."""
    return f"{name} {json.dumps(arguments, ensure_ascii=False, separators=(',', ':'))}"


def called(name: str, arguments: str) -> str:
    """Return a tool call as text, given its arguments as JSON or other text."""
    try:
        return call(name, json.loads(arguments))
    except (ValueError, RecursionError):
        return f"{name} {arguments}"


def joined(content: object) -> str:
    """Return the text of a message's parts, one below the other. An image or document becomes a single word.

    Args:
        content: A list of parts, or a single part.
    """
    return "\n".join(filter(None, map(_part, content if isinstance(content, list) else [content])))


def part_of(role: Role, block: Record) -> Part:
    """Return a part of a message in the format of Anthropic's API: words, a thought, a call or its result.

    Args:
        role: Author of the message.
        block: The part.
    """
    kind = block.text("type")
    if kind == "thinking":
        return Part(Role.THOUGHT, block.text("thinking").strip())
    if kind == "tool_use":
        name = block.text("name")
        return Part(Role.TOOL, call(name, block.get("input")), block.text("id"), is_own_tool(name))
    if kind == "tool_result":
        return Part(Role.TOOL_RESULT, joined(block.get("content")), block.text("tool_use_id"))
    return Part(role, joined(block).strip())


def is_own_tool(name: str) -> bool:
    """Return True if a client's name for a tool means a tool of lamella.

    Such a name consists of the server's name and the tool's name.
    """
    if name.startswith("mcp__"):
        return OWN_NAME in name.split("__")[1]
    return name.removeprefix("mcp_").startswith((f"{OWN_NAME}_", f"{OWN_NAME}-"))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    return _text(part) or next((f"[{each}]" for each in _MEDIA if each in _kind(part)), "")


def _text(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    return text if isinstance(text, str) and _kind(part) in ("", *_TEXTS) else ""


def _kind(part: Mapping[str, Any]) -> str:
    kind = part.get("type", "")
    return kind if isinstance(kind, str) else ""
