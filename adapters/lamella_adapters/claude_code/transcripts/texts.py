"""What a person would call the message, of the text that stands in a record.

Claude Code wraps what is not typed by the user into tags, and tells the model things inside of messages.
Searching for tags goes from left to right and never back, so that no text takes more than linear time.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lamella.domain.conversations.message import Role
from lamella_adapters.claude_code.session import client_tags as tags

_INTERRUPTED = "[Request interrupted by user"
_TERMINAL_STYLE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

_SUMMARY_BEGINS, _SUMMARY_ENDS = "\nSummary:\n", "\n\nIf you need specific details from before compaction"
"""What stands around the summary of a compacted conversation."""


def typed(text: str) -> tuple[Role, str]:
    """Who said the text of a user's record, and what; an empty text says nothing.

    A slash command is what was typed, with its arguments; a line that was typed for the shell begins with `! `.
    The output of the former is the system's, of the latter a tool's. That a task has ended is told by the system.
    """
    said = spoken(text)
    if tags.begins_with(said, *tags.COMMAND):
        return Role.HUMAN, f"{_within(said, 'command-name')} {_within(said, 'command-args')}".strip()
    if tags.begins_with(said, tags.SHELL):
        return Role.HUMAN, f"! {_within(said, tags.SHELL)}"
    if tags.begins_with(said, *tags.SHELL_SAID):
        return Role.TOOL_RESULT, _all_within(said, tags.SHELL_SAID)
    if tags.begins_with(said, *tags.COMMAND_SAID):
        return Role.SYSTEM, _all_within(said, tags.COMMAND_SAID)
    if tags.begins_with(said, tags.ENDED):
        return Role.SYSTEM, _all_within(said, ("summary", "result"))
    return (Role.SYSTEM if said.startswith(_INTERRUPTED) else Role.HUMAN), said


def spoken(text: str) -> str:
    """`text` without what the client tells the model in it, and without styles of the terminal; trimmed."""
    for tag in tags.TOLD_THE_MODEL:
        text = _without(text, tag)
    return _TERMINAL_STYLE.sub("", text).strip()


def summary(text: str) -> str:
    """What the summary of a compacted conversation says, without the instructions around it."""
    said = spoken(text)
    return said.partition(_SUMMARY_BEGINS)[2].partition(_SUMMARY_ENDS)[0].strip() or said


def call(name: str, arguments: object) -> str:
    """A call of a tool: its name, and its arguments as JSON."""
    return f"{name} {json.dumps(arguments, ensure_ascii=False, separators=(',', ':'))}"


def result(content: object) -> str:
    """What a tool gave: the text of its parts, and a word for each that is none."""
    if isinstance(content, str):
        return spoken(content)
    return spoken(joined(content)) if isinstance(content, list) else ""


def joined(parts: Iterable[object]) -> str:
    """The text of the parts of a message, one below the other; an image or a document is told of."""
    return "\n".join(filter(None, (_part(each) for each in parts if isinstance(each, Mapping))))


def _part(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    if kind == "text":
        text = part.get("text")
        return text if isinstance(text, str) else ""
    return f"[{kind}]" if kind in ("image", "document") else ""


def _without(text: str, tag: str) -> str:
    """`text` without each `<tag>` that is closed, and what it holds."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept, done = [], 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[done:start])
        done = end + len(closing)
    return "".join([*kept, text[done:]]) if kept else text


def _within(text: str, tag: str) -> str:
    """What stands in the first `<tag>`, trimmed; empty where there is none."""
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()


def _all_within(text: str, tags: Iterable[str]) -> str:
    return "\n".join(filter(None, (_within(text, tag) for tag in tags)))
