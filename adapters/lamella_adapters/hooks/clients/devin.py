"""Normaliser of Devin, Droid and Junie. Their hooks are like Claude Code's, but Junie has only some of them.

The module is written from their documentation, and is untried because all three need an account to run. Devin and
Droid accept no context before a tool runs, so a warning comes after the edit. Junie doesn't report tools, so the
working tree is examined at the end of a turn.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, specific_output
from lamella_adapters.hooks.paths import variable
from lamella_adapters.hooks.payload import Json, object_in, text_in

_SHELLS, _REPLACING, _WRITING = ("exec", "Execute"), ("edit", "Edit"), ("write", "Create", "ApplyPatch")
"""Tools of Devin and of Droid."""

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Devin, Droid or Junie."""
    happened = event_of(payload, name, "devin")
    happened.transcript = ""  # No reader for these clients' transcripts exists.
    happened.directory = variable("DEVIN_PROJECT_DIR") or happened.directory
    arguments = object_in(payload, "tool_input")
    if happened.kind == kinds.REPLY:
        happened.command = happened.tool = "edit"
    elif happened.name == "PostToolUse" and happened.tool in (*_SHELLS, *_WRITING):
        # The overwritten text is not reported, so the working tree is examined.
        happened.ran(text_in(arguments, "command") or f"write {text_in(arguments, 'file_path')}".rstrip())
    elif happened.name == "PostToolUse" and happened.tool in _REPLACING:
        from lamella_adapters.hooks.clients.replacements import read_edit

        old, new = (
            text_in(arguments, f"{key}_string") or text_in(arguments, f"{key}_str") for key in ("old", "new")
        )
        read_edit(happened, text_in(arguments, "file_path"), [(old, new, arguments.get("replace_all") is True)])
        happened.accepts = kinds.BEFORE_EDIT
    return happened
