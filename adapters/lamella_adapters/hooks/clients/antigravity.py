"""Normaliser of Antigravity.

It is written from Antigravity's documentation, and is untried because Antigravity needs an account to run.
Antigravity doesn't report prompts. It accepts context before it calls the model, but not before a tool call.
"""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Event, event_of
from lamella_adapters.hooks.payload import Json, object_in, text_in

_ASKING, _AFTER_TOOL = "PreInvocation", "PostToolUse"
_SHELL, _REPLACING = "run_command", "replace_file_content"
_WRITING = ("write_to_file", "multi_replace_file_content")


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Antigravity."""
    happened = event_of(payload, name, "antigravity")
    happened.session = text_in(payload, "conversationId")
    roots = payload.get("workspacePaths")
    # Antigravity runs hooks in the folder of the configuration, not of the project.
    happened.directory = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    called = object_in(payload, "toolCall")
    happened.tool, arguments = text_in(called, "name"), object_in(called, "args")
    if happened.name == _ASKING and payload.get("invocationNum") == 0:
        happened.kind = kinds.START
    elif happened.name == _AFTER_TOOL and happened.tool == _SHELL:
        happened.ran(text_in(arguments, "CommandLine"))
    elif happened.name == _AFTER_TOOL and happened.tool in _WRITING:
        # The overwritten text is not reported, so the working tree is examined.
        happened.ran(f"{happened.tool} {text_in(arguments, 'TargetFile')}")
    elif happened.name == _AFTER_TOOL and happened.tool == _REPLACING and not text_in(payload, "error"):
        from lamella_adapters.hooks.clients.replacements import read_edit

        old, new = text_in(arguments, "TargetContent"), text_in(arguments, "ReplacementContent")
        read_edit(happened, text_in(arguments, "TargetFile"), [(old, new, False)])
        happened.accepts = kinds.OTHER
    return happened


def output(_: Event, context: str) -> Json:
    """Return context as Antigravity accepts it."""
    return {"injectSteps": [{"ephemeralMessage": context}]}
