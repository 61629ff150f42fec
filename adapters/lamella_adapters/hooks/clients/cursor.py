"""Normaliser of Cursor, written from its documentation and untried, because Cursor needs an account to run."""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, output_under
from lamella_adapters.hooks.payload import Json, objects_in, text_in

output = output_under("additional_context")


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Cursor."""
    happened = event_of(payload, name, "cursor")
    happened.session = text_in(payload, "conversation_id")
    happened.transcript = ""  # Cursor's conversations are imported by `lamella import cursor`.
    roots = payload.get("workspace_roots")
    if isinstance(roots, list) and roots and isinstance(roots[0], str):
        happened.directory = roots[0]
    if happened.kind == kinds.COMMAND:
        happened.tool = "Shell"
        happened.ran(text_in(payload, "command"), payload.get("duration"))
    elif happened.kind == kinds.EDIT:
        from lamella_adapters.hooks.clients.replacements import read_edit

        edits = objects_in(payload, "edits")
        replaced = [(text_in(each, "old_string"), text_in(each, "new_string"), False) for each in edits]
        read_edit(happened, text_in(payload, "file_path"), replaced)
        happened.tool = "Edit"
    if happened.kind != kinds.START:
        happened.accepts = kinds.OTHER  # Cursor accepts context only when a session starts.
    return happened
