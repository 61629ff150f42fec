"""Normaliser of Copilot CLI, whose input doesn't contain the name of the event.

VS Code calls the same hooks, but with other names of tools and fields. The code for VS Code is written from its
documentation, and is untried.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Edit, Event, event_of, specific_output
from lamella_adapters.hooks.paths import joined, variable
from lamella_adapters.hooks.payload import Json, object_in, parsed, text_in

_FAILED = "postToolUseFailure"
_AFTER_TOOLS = ("postToolUse", _FAILED)
_SHELLS = ("bash", "powershell")
_PATCHING, _CREATING, _REPLACING = "apply_patch", "create", "edit"
"""Editing tools. Which of them Copilot CLI offers depends on the model."""

_IN_VSCODE = {
    "create_file": _CREATING,
    "replace_string_in_file": _REPLACING,
    "run_in_terminal": _SHELLS[0],
    "filePath": "path",
    "content": "file_text",
    "oldString": "old_str",
    "newString": "new_str",
}
"""Names of tools and their arguments in VS Code."""


def output(event: Event, context: str) -> Json:
    """Return context in the form that Copilot CLI and VS Code accept."""
    return {"additionalContext": context, **(specific_output(event, context) if event.name[:1].isupper() else {})}


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Copilot CLI or VS Code."""
    happened = event_of({**payload, "hook_event_name": name}, name, "copilot")
    happened.session = text_in(payload, "sessionId") or happened.session
    happened.transcript = text_in(payload, "transcriptPath") or _transcript(happened.session)
    happened.tool = text_in(payload, "toolName") or _IN_VSCODE.get(happened.tool, happened.tool)
    if happened.kind == kinds.BEFORE_EDIT:
        happened.edits = _intended(happened, payload)
        if not happened.edits:
            happened.accepts = kinds.OTHER
    elif happened.name in _AFTER_TOOLS:
        _read_tool(happened, payload)
    happened.name = text_in(payload, "hookEventName") or text_in(payload, "hook_event_name") or name
    return happened


def _transcript(session: str) -> str:
    """Return the conversation's file. Copilot doesn't report it at the end of a session."""
    home = variable("COPILOT_HOME") or joined(variable("HOME"), ".copilot")
    return joined(home, f"session-state/{session}/events.jsonl") if session else ""


def _arguments(payload: Json) -> Json:
    """Return the arguments of a tool, which are reported as an object or as JSON text."""
    given = object_in(payload, "toolArgs") or parsed(text_in(payload, "toolArgs").encode(errors="replace")) or {}
    return given or {_IN_VSCODE.get(key, key): value for key, value in object_in(payload, "tool_input").items()}


def _intended(happened: Event, payload: Json) -> list[Edit]:
    """Return the edits that a tool is about to make."""
    if happened.tool == _PATCHING:
        from lamella_adapters.hooks.clients.patch import intended

        return intended(text_in(payload, "toolArgs"), happened.directory)
    arguments = _arguments(payload)
    path = text_in(arguments, "path")
    edit = Edit(joined(happened.directory, path))
    if happened.tool == _CREATING:
        edit.after = text_in(arguments, "file_text")
    else:
        edit.replacements = [(text_in(arguments, "old_str"), text_in(arguments, "new_str"), False)]
    return [edit] if path and happened.tool in (_CREATING, _REPLACING) else []


def _read_tool(happened: Event, payload: Json) -> None:
    """Add a tool's edits or command. A failed command or patch may have changed files; a failed edit hasn't."""
    failed = happened.name == _FAILED
    if happened.tool in _SHELLS:
        happened.ran(text_in(_arguments(payload), "command"))
    elif happened.tool == _PATCHING and failed:
        happened.ran(_PATCHING)
    elif happened.tool == _PATCHING:
        from lamella_adapters.hooks.clients.patch import made, tells_all

        patch = text_in(payload, "toolArgs")
        happened.kind = kinds.EDIT
        happened.edits = made(patch, happened.directory)
        happened.command = "" if tells_all(patch) else _PATCHING
    elif not failed and (edits := _intended(happened, payload)):
        from lamella_adapters.hooks.clients import hunks, replacements

        happened.kind = kinds.EDIT
        happened.edits = edits
        for edit in edits:
            # The tool for creating files refuses to overwrite a file.
            edit.hunks = replacements.made(edit) if edit.after is None else hunks.between("", edit.after)
