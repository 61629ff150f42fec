"""Normaliser of Claude Code."""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

from lamella_adapters.hooks import clients as kinds
from lamella_adapters.hooks.clients import Edit, Event, event_of, output_with_notice
from lamella_adapters.hooks.paths import variable
from lamella_adapters.hooks.payload import Json, object_in, objects_in, text_in

_SHELL = "Bash"
_FAILED = "PostToolUseFailure"
_AFTER_TOOLS = ("PostToolUse", _FAILED)
_EDITING = ("Edit", "Write", "MultiEdit")

output = output_with_notice


def event(payload: Json, name: str) -> Event:
    """Return the event in a payload of Claude Code."""
    happened = event_of(payload, name, "claude_code")
    started, process = variable("CLAUDE_PROJECT_DIR"), variable("CLAUDE_PID")
    happened.server_directory = started
    happened.directory = happened.directory or started
    happened.process = int(process) if process.isdecimal() else 0
    happened.agent = text_in(payload, "agent_id")
    happened.resumed = text_in(payload, "source") == "resume"
    if happened.agent and "/" not in happened.agent:
        folder = happened.transcript.removesuffix(".jsonl")
        happened.task = f"{folder}/subagents/agent-{happened.agent.removeprefix('agent-')}.jsonl"
    if happened.kind == kinds.PROMPT:
        _read_prompt(happened)
    elif happened.kind == kinds.BEFORE_EDIT:
        happened.edits = _intended(happened.tool, object_in(payload, "tool_input"))
    elif happened.name in _AFTER_TOOLS:
        _read_tool(happened, payload)
    return happened


def _read_prompt(happened: Event) -> None:
    """Empty the prompt if the client itself wrote it.

    If the prompt is a notice about the end of a background task, the event gets the kind `OTHER`.
    """
    happened.prompt = happened.prompt.lstrip()
    if happened.prompt.startswith("<"):
        from lamella_adapters.transcripts.claude_code import client_tags

        if client_tags.begins_with(happened.prompt, client_tags.ENDED):
            happened.kind = kinds.OTHER
        if client_tags.begins_with(happened.prompt):
            happened.prompt = ""


def _intended(tool: str, arguments: Json) -> list[Edit]:
    """Return the edit that a tool is about to make."""
    edit = Edit(text_in(arguments, "file_path"))
    if tool not in _EDITING or not edit.path:
        return []
    if tool == "Write":
        edit.after = text_in(arguments, "content")
    else:
        edit.replacements = [
            (text_in(each, "old_string"), text_in(each, "new_string"), each.get("replace_all") is True)
            for each in (objects_in(arguments, "edits") if tool == "MultiEdit" else [arguments])
        ]
    return [edit]


def _read_tool(happened: Event, payload: Json) -> None:
    """Add a tool's edits or command to an event. A failed edit changes nothing, but a failed command may."""
    arguments = object_in(payload, "tool_input")
    if happened.tool == _SHELL:
        happened.ran(text_in(arguments, "command"), payload.get("duration_ms"))
    elif happened.name != _FAILED and (happened.tool in _EDITING or happened.tool == "NotebookEdit"):
        from lamella_adapters.hooks.clients.hunks import between, of_patches

        happened.kind = kinds.EDIT
        edit = Edit(text_in(arguments, "file_path") or text_in(arguments, "notebook_path"))
        response = object_in(payload, "tool_response")
        if happened.tool == "NotebookEdit":
            edit.hunks = _cell(response)
        elif patches := objects_in(response, "structuredPatch"):
            edit.hunks = of_patches(patches)
        elif happened.tool == "Write":
            # Claude Code reports no patch for a new file, or for a file with too many changes.
            edit.hunks = between(text_in(response, "originalFile"), text_in(response, "content"))
        happened.edits = [edit] if edit.path else []


def _cell(response: Json) -> str:
    """Return the hunk of a notebook cell. The hunk has the cell's source lines, whereas the file is JSON."""
    from lamella_adapters.hooks.clients.hunks import between

    if text_in(response, "error"):
        return ""
    new = "" if response.get("edit_mode") == "delete" else text_in(response, "new_source")
    return between(text_in(response, "old_source"), new)
