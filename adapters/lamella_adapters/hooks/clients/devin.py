"""Normaliser of Devin, whose hooks are like those of Claude Code, and of Junie, which has some of them.

It is written from their documentation and untried, because both need an account to run. Devin takes in no context
before a tool, so the warning comes after the edit. Junie doesn't report tools, so the working tree is looked at
when a turn ends.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, specific_output
from lamella_adapters.hooks.paths import variable
from lamella_adapters.hooks.payload import Json, object_in, text_in

_KINDS = {
    "SessionStart": kinds.START,
    "UserPromptSubmit": kinds.PROMPT,
    "PostCompaction": kinds.COMPACTED,
    "Stop": kinds.REPLY,
    "SessionEnd": kinds.END,
}
_SHELL, _REPLACING, _WRITING = "exec", "edit", "write"

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event that a payload of Devin or Junie reports."""
    happened = event_of(payload, name, _KINDS)
    happened.transcript = ""  # No reader knows its format.
    happened.directory = variable("DEVIN_PROJECT_DIR") or happened.directory
    arguments = object_in(payload, "tool_input")
    if happened.kind == kinds.REPLY:
        happened.command = happened.tool = _REPLACING
    elif happened.name == "PostToolUse" and happened.tool in (_SHELL, _WRITING):
        # Devin doesn't say what it has written over, so the working tree is looked at.
        happened.ran(text_in(arguments, "command") or f"{_WRITING} {text_in(arguments, 'file_path')}")
    elif happened.name == "PostToolUse" and happened.tool == _REPLACING:
        from lamella_adapters.hooks.clients.replacements import read_edit

        old, new = text_in(arguments, "old_string"), text_in(arguments, "new_string")
        read_edit(happened, text_in(arguments, "file_path"), [(old, new, arguments.get("replace_all") is True)])
        happened.accepts = kinds.BEFORE_EDIT
    return happened
