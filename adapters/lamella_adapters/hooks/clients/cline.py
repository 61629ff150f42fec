"""Normaliser of events from Cline, as reported by lamella's plugin beside this module.

Cline's own hooks are scripts, and can't add context at the start of a session, so a plugin is used. Cline stops a
plugin after three seconds. The plugin therefore never blocks a tool: a warning about an edit comes with the result
of the edit.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Edit, Event, event_of_plugin, output_under
from lamella_adapters.hooks.paths import joined
from lamella_adapters.hooks.payload import Json, object_in, text_in

_AFTER_TOOL = "after tool"
_SHELL, _PATCHING, _EDITING = "run_commands", "apply_patch", "editor"
"""Tools reported by the plugin."""

output = output_under("context")


def event(payload: Json, name: str) -> Event:
    """Return the event reported by Cline's plugin."""
    happened = event_of_plugin(payload, name, "cline")
    arguments = object_in(payload, "args")
    if happened.name != _AFTER_TOOL:
        return happened
    if happened.tool == _SHELL:
        commands = arguments.get("commands")
        happened.ran("\n".join(map(str, commands)) if isinstance(commands, list) else "", payload.get("took"))
    elif payload.get("failed") is not True:
        _read_edits(happened, arguments)
    return happened


def _read_edits(happened: Event, arguments: Json) -> None:
    """Add a tool's edits to an event."""
    from lamella_adapters.hooks.clients import hunks, patch, replacements

    happened.kind = kinds.EDIT
    path, old, new = (text_in(arguments, key) for key in ("path", "old_text", "new_text"))
    if happened.tool == _PATCHING:
        text = text_in(arguments, "input")
        happened.edits = patch.made(text, happened.directory)
        happened.command = "" if patch.tells_all(text) else _PATCHING
    elif happened.tool == _EDITING and path:
        happened.accepts = kinds.BEFORE_EDIT
        if old:
            replacements.read_edit(happened, path, [(old, new, False)])
            return
        # Without old text, the tool creates a file or inserts lines.
        edit = Edit(joined(happened.directory, path))
        edit.before, edit.after, edit.hunks = "", new, hunks.between("", new)
        happened.edits = [edit]
