"""Normaliser of opencode: events reported by the plugin beside this module.

Plugins for other clients report events in the same format.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Edit, Event, event_of_plugin, output_under
from lamella_adapters.hooks.paths import joined, variable
from lamella_adapters.hooks.payload import Json, object_in, objects_in, text_in

_AFTER_TOOL = "tool.execute.after"
_SHELL, _PATCHING, _WRITING, _REPLACING = "bash", "apply_patch", "write", "edit"
"""Tools reported by the plugin."""

_SESSION = "ses_"
"""Prefix of the session ids of opencode. The sessions of other clients have other prefixes."""

output = output_under("context")


def event(payload: Json, name: str, client: str = "opencode") -> Event:
    """Return the event reported by the plugin of opencode, or of another client with the same plugin."""
    happened = event_of_plugin(payload, name, "opencode")
    happened.transcript = _transcript(happened.session, client)
    happened.context_lost = payload.get("compacted") is True
    arguments = object_in(payload, "args")
    if happened.kind == kinds.BEFORE_EDIT:
        happened.edits = _intended(happened, arguments)
    elif happened.name == _AFTER_TOOL:
        _read_tool(happened, arguments, object_in(payload, "metadata"))
    return happened


def _transcript(session: str, client: str) -> str:
    """Return the path of a session as the transcript reader expects it: the database, then the session's id."""
    kept = variable("XDG_DATA_HOME") or joined(variable("HOME"), ".local/share")
    return joined(kept, f"{client}/{client}.db/{session}") if session.startswith(_SESSION) else ""


def _intended(happened: Event, arguments: Json) -> list[Edit]:
    """Return the edits that a tool is about to make."""
    if happened.tool == _PATCHING:
        from lamella_adapters.hooks.clients.patch import intended

        return intended(text_in(arguments, "patchText"), happened.directory)
    path = text_in(arguments, "filePath")
    edit = Edit(joined(happened.directory, path))
    if happened.tool == _WRITING:
        edit.after = text_in(arguments, "content")
    else:
        edit.replacements = _replaced(arguments)
    return [edit] if path and happened.tool in (_WRITING, _REPLACING) else []


def _replaced(arguments: Json) -> list[tuple[str, str, bool]]:
    return [
        (text_in(each, "oldString"), text_in(each, "newString"), each.get("replaceAll") is True)
        for each in objects_in(arguments, "edits") or [arguments]
    ]


def _read_tool(happened: Event, arguments: Json, metadata: Json) -> None:
    """Add a tool's edits or command to an event. The plugin doesn't report failed edits and patches."""
    from lamella_adapters.hooks.clients.hunks import between, of_diff

    path = text_in(arguments, "filePath")
    hunks: dict[str, str] = {}
    if happened.tool == _SHELL:
        happened.ran(text_in(arguments, "command"))
        return
    if happened.tool == _PATCHING:
        files = objects_in(metadata, "files")
        hunks = {text_in(each, "filePath"): of_diff(text_in(each, "patch")) for each in files}
    elif happened.tool == _REPLACING and "diff" in metadata:
        hunks = {path: of_diff(text_in(metadata, "diff"))}
    elif happened.tool == _REPLACING:
        from lamella_adapters.hooks.clients.replacements import read_edit

        # If the plugin wasn't called before the edit, warn after the edit.
        happened.accepts = kinds.BEFORE_EDIT
        read_edit(happened, path, _replaced(arguments))
    elif happened.tool == _WRITING and metadata.get("exists") is False:
        hunks = {path: between("", text_in(arguments, "content"))}
    elif happened.tool == _WRITING:
        # The plugin doesn't report the overwritten text, so the working tree is examined.
        happened.command = f"{_WRITING} {path}"
    happened.kind = kinds.EDIT
    for name, lines in hunks.items():
        edit = Edit(joined(happened.directory, name))
        edit.hunks = lines
        happened.edits.append(edit)
