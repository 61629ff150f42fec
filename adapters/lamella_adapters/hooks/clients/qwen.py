"""Normaliser of Qwen Code, which has the events of Claude Code and the tools of Gemini CLI.

It takes in no context before a tool, so the warning comes after the edit.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks.clients import (
    BEFORE_EDIT,
    COMMAND,
    COMPACTED,
    EDIT,
    END,
    OTHER,
    PROMPT,
    REPLY,
    START,
    Event,
    event_of,
    specific_output,
)
from lamella_adapters.hooks.payload import Json, object_in, text_in

_KINDS = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreCompact": COMPACTED,
    "Stop": REPLY,
    "SessionEnd": END,
}
_FAILED = "PostToolUseFailure"
_AFTER_TOOLS = ("PostToolUse", _FAILED)
_SHELL = "run_shell_command"
_EDITING = ("edit", "write_file")

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event that a payload of Qwen Code reports."""
    happened = event_of(payload, name, _KINDS)
    happened.transcript = ""  # No reader knows its format.
    arguments = object_in(payload, "tool_input")
    if happened.kind == PROMPT:
        happened.prompt = text_in(payload, "prompt")
        if not happened.prompt:
            # It reports an empty prompt after each use of a tool.
            happened.kind = OTHER
    elif happened.name in _AFTER_TOOLS and happened.tool == _SHELL:
        happened.kind = COMMAND
        happened.command, happened.took = text_in(arguments, "command"), payload.get("duration_ms")
    elif happened.name in _AFTER_TOOLS and happened.tool in _EDITING:
        from lamella_adapters.hooks.clients.gemini import made

        happened.kind, happened.accepts = EDIT, BEFORE_EDIT
        display = object_in(object_in(payload, "tool_response"), "returnDisplay")
        happened.edits = made(display, text_in(display, "filePath") or text_in(arguments, "file_path"))
    return happened
