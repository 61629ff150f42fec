"""Normaliser of goose.

It is written from goose's documentation and source, and is untried because goose is in no package index. goose
accepts no context from hooks, and doesn't report the working directory with each event. Hooks run in the working
directory.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of, specific_output
from lamella_adapters.hooks.payload import Json, object_in, text_in

_FAILED = "PostToolUseFailure"
_BUILT_IN = "developer__"
_SHELL, _REPLACING, _WRITING = "shell", "edit", "write"

output = specific_output


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of goose."""
    happened = event_of(payload, text_in(payload, "event") or name, "goose")
    happened.accepts = kinds.OTHER
    happened.directory = text_in(payload, "working_dir")
    if happened.kind == kinds.PROMPT:
        happened.prompt = text_in(payload, "message")
    happened.tool = happened.tool.removeprefix(_BUILT_IN)
    arguments = object_in(payload, "tool_input")
    if happened.name in ("PostToolUse", _FAILED) and happened.tool in (_SHELL, _WRITING):
        # goose doesn't report the overwritten text, so the working tree is examined.
        happened.ran(text_in(arguments, "command") or f"{_WRITING} {text_in(arguments, 'path')}")
    elif happened.name == "PostToolUse" and happened.tool == _REPLACING:
        from lamella_adapters.hooks.clients.replacements import read_edit

        replaced = (text_in(arguments, "before"), text_in(arguments, "after"), False)
        read_edit(happened, text_in(arguments, "path"), [replaced])
    return happened
