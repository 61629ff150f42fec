"""Selection of what a hook captures of an event, with secrets redacted."""

# ruff: noqa: PTH118, PLC0415 - imports cost the hook time, so they are made where they are needed

import os

from lamella_adapters.claude_code.hooks.options import switched_on
from lamella_adapters.claude_code.hooks.payload import Json, object_in, text_in

AFTER_TOOLS = ("PostToolUse", "PostToolUseFailure")
COMPACTED = "PreCompact"
"""Event of records of a compaction, which are made when the session starts again after it."""

AFTER_WORDS = (COMPACTED, "Stop", "SessionEnd")
"""Events after which the transcript is longer."""

FOR_SECRETS = "a file for secrets"
"""The reason why an edit is skipped."""

_MAX_COMMAND_CHARACTERS = 200
_GIT_FOLLOWS = " ... git"
_LONGEST_MILLISECONDS = 24 * 3600 * 1000
"""Durations above a day are not plausible, and are left out."""


def captured(event: str, payload: Json, directory: str, session: str) -> Json | None:
    """Return the fields to capture of an event, without secrets. None if nothing is captured.

    Args:
        event: The name of the event.
        payload: The object that Claude Code passed to the hook.
        directory: The data directory.
        session: The session's id, or empty.
    """
    if event in AFTER_WORDS:
        return {} if switched_on("capture_conversations") else None
    if event not in AFTER_TOOLS or not switched_on("capture_edits"):
        return None
    tool = text_in(payload, "tool_name")
    if tool != "Bash" and event != AFTER_TOOLS[0]:
        return None  # a failed edit changed nothing, but a failed command may have
    found = _command(payload) if tool == "Bash" else _edit(tool, payload)
    if found is None or "skipped" in found:
        return found
    return {"tool": tool, **found, **_asked(directory, session)}


def keep_prompt(payload: Json, directory: str, session: str) -> None:
    """Keep the user's prompt as the reason of the following edits, and the time of the prompt.

    The reason is empty if edits or conversations are not captured, if the prompt is empty, and if the client wrote
    the prompt. The client's news that a task has ended is not a prompt, and is ignored.

    Args:
        payload: The object that Claude Code passed to the hook.
        directory: The data directory.
        session: The session's id, or empty.

    Raises:
        OSError: The reason can't be written.
    """
    prompt = text_in(payload, "prompt").lstrip()
    if not session:
        return
    said = prompt if switched_on("capture_edits") and switched_on("capture_conversations") else ""
    if prompt.startswith("<"):
        from lamella_adapters.claude_code.session import client_tags

        if client_tags.begins_with(prompt, client_tags.ENDED):
            return
        said = "" if client_tags.begins_with(prompt) else said
    from lamella_adapters.claude_code.hooks import prompt_reason

    prompt_reason.keep(directory, session, prompt_reason.first_sentence(cleaned(said)))


def cleaned(text: str) -> str:
    """Return `text` without secrets and without parts that are marked as private."""
    from lamella.domain.privacy import redaction

    return redaction.cleaned(text).text


def _asked(directory: str, session: str) -> Json:
    """Return the reason and the time of the user's last prompt, as far as they are known."""
    if not session:
        return {"reason": ""}
    from lamella_adapters.claude_code.hooks import prompt_reason

    reason = prompt_reason.kept(directory, session) if switched_on("capture_conversations") else ""
    at = prompt_reason.asked(directory, session)
    return {"reason": reason} if at is None else {"reason": reason, "asked": at}


def _command(payload: Json) -> Json | None:
    from lamella_adapters.claude_code.hooks.read_only_commands import only_reads

    command = text_in(object_in(payload, "tool_input"), "command")
    if only_reads(command):
        return None
    said = cleaned(command)
    found: Json = {"command": said[:_MAX_COMMAND_CHARACTERS]}
    if "git" in said[_MAX_COMMAND_CHARACTERS:].split():
        # A commit often comes after a long text, and is recognised by the word git.
        found["command"] = said[: _MAX_COMMAND_CHARACTERS - len(_GIT_FOLLOWS)] + _GIT_FOLLOWS
    took = payload.get("duration_ms")
    return {**found, "took": took} if type(took) is int and 0 <= took < _LONGEST_MILLISECONDS else found


def _edit(tool: str, payload: Json) -> Json | None:
    from lamella.domain.ledger.hunks import bounded
    from lamella.domain.privacy.private_files import is_private
    from lamella_adapters.claude_code.hooks import edit_hunks

    path = edit_hunks.path_of(object_in(payload, "tool_input"))
    if tool not in edit_hunks.TOOLS or not path:
        return None
    folder = text_in(payload, "cwd")
    path = os.path.join(folder, path)
    # The target of a link counts as well.
    for file, place in ((path, folder), (os.path.realpath(path), os.path.realpath(folder))):
        if is_private(file.removeprefix(os.path.join(place, ""))):
            return {"skipped": FOR_SECRETS}
    hunks = edit_hunks.hunks_of(tool, object_in(payload, "tool_response"))
    return {"path": cleaned(path), "hunks": bounded(cleaned(hunks))} if hunks else None
