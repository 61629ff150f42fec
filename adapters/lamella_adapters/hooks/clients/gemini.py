"""Normaliser of Gemini CLI.

Gemini CLI accepts no context before a tool runs, so a warning comes after the edit. It reports `PreCompress` in
each turn, even without a compression, so this event is ignored.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Edit, Event, event_of, output_with_notice
from lamella_adapters.hooks.payload import Json, object_in, text_in

_SHELL = "run_shell_command"
_EDITING = ("replace", "write_file")
_CONTEXT_BEGINS, _CONTEXT_ENDS = "<hook_context>", "</hook_context>"

output = output_with_notice


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Gemini CLI."""
    happened = event_of(payload, name, "gemini")
    if happened.kind == kinds.PROMPT:
        happened.prompt = _without_context(happened.prompt)
    elif happened.name == "AfterTool":
        if happened.tool == _SHELL:
            happened.ran(text_in(object_in(payload, "tool_input"), "command"))
        elif happened.tool in _EDITING:
            read_edit(happened, payload)
    return happened


def read_edit(happened: Event, payload: Json) -> None:
    """Add a tool's edit to an event. The edit is read from the result for display, which a failed edit lacks."""
    from lamella_adapters.hooks.clients.hunks import between, of_diff

    happened.kind, happened.accepts = kinds.EDIT, kinds.BEFORE_EDIT
    display = object_in(object_in(payload, "tool_response"), "returnDisplay")
    path = text_in(display, "filePath") or text_in(object_in(payload, "tool_input"), "file_path")
    if path and display:
        edit = Edit(path)
        edit.before, edit.after = text_in(display, "originalContent"), text_in(display, "newContent")
        edit.hunks = of_diff(text_in(display, "fileDiff")) or between(edit.before, edit.after)
        happened.edits = [edit]


def _without_context(prompt: str) -> str:
    """Return a prompt without the context that a hook prepended at the start of the session."""
    while prompt.startswith(_CONTEXT_BEGINS) and _CONTEXT_ENDS in prompt:
        prompt = prompt.partition(_CONTEXT_ENDS)[2].lstrip()
    return prompt
