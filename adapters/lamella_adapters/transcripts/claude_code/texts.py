"""Texts of messages as people see them, without the client's additions.

Claude Code puts text that the user didn't type into tags, and adds words for the model to messages. Tags are
searched from left to right, in linear time.
"""

import re
from collections.abc import Iterable

from lamella.domain.conversations.message import Role
from lamella_adapters.transcripts.claude_code import client_tags as tags
from lamella_adapters.transcripts.texts import joined

_INTERRUPTED = "[Request interrupted by user"
_TERMINAL_STYLE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

_SUMMARY_BEGINS, _SUMMARY_ENDS = "\nSummary:\n", "\n\nIf you need specific details from before compaction"
"""Instructions around the summary of a compacted conversation."""


def typed(text: str) -> tuple[Role, str]:
    """Return the role and the text of a user's record. The text may be empty.

    A slash command is returned as typed, with its arguments. A line typed for the shell begins with `! `. The
    output of slash commands and notices of ended tasks have the role of the system; the output of the shell has
    the role of a tool's result.
    """
    said = spoken(text)
    if tags.begins_with(said, *tags.COMMAND):
        return Role.HUMAN, f"{_within(said, 'command-name')} {_within(said, 'command-args')}".strip()
    if tags.begins_with(said, tags.SHELL):
        return Role.HUMAN, f"! {_within(said, tags.SHELL)}"
    if tags.begins_with(said, *tags.SHELL_OUTPUT):
        return Role.TOOL_RESULT, _all_within(said, tags.SHELL_OUTPUT)
    if tags.begins_with(said, *tags.COMMAND_OUTPUT):
        return Role.SYSTEM, _all_within(said, tags.COMMAND_OUTPUT)
    if tags.begins_with(said, tags.ENDED):
        return Role.SYSTEM, _all_within(said, ("summary", "result"))
    return (Role.SYSTEM if said.startswith(_INTERRUPTED) else Role.HUMAN), said


def spoken(text: str) -> str:
    """Return `text` without the client's words to the model and without styles of the terminal, trimmed."""
    for tag in tags.FOR_THE_MODEL:
        text = _without(text, tag)
    return _TERMINAL_STYLE.sub("", text).strip()


def summary(text: str) -> str:
    """Return the summary of a compacted conversation without the instructions around it."""
    said = spoken(text)
    return said.partition(_SUMMARY_BEGINS)[2].partition(_SUMMARY_ENDS)[0].strip() or said


def result(content: object) -> str:
    """Return the result of a tool as text: the text of each part, and a word for each image or document."""
    if isinstance(content, str):
        return spoken(content)
    return spoken(joined(content)) if isinstance(content, list) else ""


def _without(text: str, tag: str) -> str:
    """Return `text` without closed `<tag>` elements and their content."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept, done = [], 0
    while (start := text.find(opening, done)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[done:start])
        done = end + len(closing)
    return "".join([*kept, text[done:]]) if kept else text


def _within(text: str, tag: str) -> str:
    """Return the content of the first `<tag>`, trimmed; empty without such a tag."""
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()


def _all_within(text: str, tags: Iterable[str]) -> str:
    return "\n".join(filter(None, (_within(text, tag) for tag in tags)))
