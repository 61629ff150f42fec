"""Normaliser of Qwen Code, with the events of Claude Code and the tools of Gemini CLI.

Qwen Code accepts no context before a tool, so the warning comes after the edit.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, specific_output
from lamella_adapters.hooks.payload import Json, object_in, text_in

_FAILED = "PostToolUseFailure"
_AFTER_TOOLS = ("PostToolUse", _FAILED)
_SHELL = "run_shell_command"
_EDITING = ("edit", "write_file")

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Qwen Code."""
    happened = event_of(payload, name, "qwen")
    happened.transcript = ""  # No reader for Qwen Code's transcripts exists.
    if happened.kind == kinds.PROMPT and not happened.prompt:
        # Qwen Code reports an empty prompt after each use of a tool.
        happened.kind = kinds.OTHER
    elif happened.name in _AFTER_TOOLS and happened.tool == _SHELL:
        happened.ran(text_in(object_in(payload, "tool_input"), "command"), payload.get("duration_ms"))
    elif happened.name in _AFTER_TOOLS and happened.tool in _EDITING:
        from lamella_adapters.hooks.clients.gemini import read_edit

        read_edit(happened, payload)
    return happened
