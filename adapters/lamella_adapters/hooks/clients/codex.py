"""Normaliser of Codex.

Codex has the same names of events as Claude Code, and restarts a session after a compaction. It edits files with
patches, either through its tool `apply_patch` or through the shell. For a patch applied through the shell, Codex
doesn't report when it is done. So the working tree is examined once more at the end of a turn. Codex rejects
context from a hook at `Stop`.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, specific_output
from lamella_adapters.hooks.payload import Json, object_in, text_in

_PATCHING, _SHELL = "apply_patch", "Bash"
_BEGINS = "*** Begin Patch"
_SUCCEEDED = "Exit code: 0\n"

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Codex."""
    happened = event_of(payload, name, "codex")
    command = text_in(object_in(payload, "tool_input"), "command")
    if happened.kind == kinds.REPLY:
        happened.command = happened.tool = _PATCHING
    elif happened.kind == kinds.BEFORE_EDIT:
        if happened.tool not in (_PATCHING, _SHELL) or _BEGINS not in command:
            happened.accepts = kinds.OTHER
            return happened
        from lamella_adapters.hooks.clients.patch import intended

        happened.edits = intended(command, happened.directory)
    elif happened.name == "PostToolUse" and happened.tool == _PATCHING:
        from lamella_adapters.hooks.clients.patch import made, tells_all

        happened.kind = kinds.EDIT
        if text_in(payload, "tool_response").startswith(_SUCCEEDED):
            happened.edits = made(command, happened.directory)
        if not tells_all(command):
            happened.command = _PATCHING
    elif happened.name == "PostToolUse" and happened.tool == _SHELL:
        happened.ran(command)
    return happened
