"""What a hook writes down of what it was told, before anything else of it is kept."""

# ruff: noqa: PTH118, PLC0415 - each import costs the hook, so it is made where it is needed

import os

from lamella_adapters.claude_code.hooks.options import switched_on
from lamella_adapters.claude_code.hooks.payload import Json, object_in, text_in

AFTER_TOOLS = ("PostToolUse", "PostToolUseFailure")
AFTER_WORDS = ("PreCompact", "Stop", "SessionEnd")
"""Events that come when the transcript has news."""

FOR_SECRETS = "a file for secrets"
"""Why an edit is passed over."""

_MAX_COMMAND_CHARACTERS = 200
_GIT_FOLLOWS = " ... git"
_LONGEST_MILLISECONDS = 24 * 3600 * 1000
"""What is said to have taken longer than a day, or less than nothing, is not believed."""


def captured(event: str, told: Json, directory: str, session: str) -> Json | None:
    """What is to be kept of the event, without secrets; None if nothing is.

    `directory` is the data directory, and `session` the session's id, or empty.
    """
    if event in AFTER_WORDS:
        return {} if switched_on("capture_conversations") else None
    if event not in AFTER_TOOLS or not switched_on("capture_edits"):
        return None
    tool = text_in(told, "tool_name")
    if tool != "Bash" and event != AFTER_TOOLS[0]:
        return None  # an edit that failed has changed nothing; of a command nobody knows
    found = _command(told) if tool == "Bash" else _edit(tool, told)
    if found is None or "skipped" in found:
        return found
    return {"tool": tool, **found, **_asked(directory, session)}


def hear(told: Json, directory: str, session: str) -> None:
    """Keep what the user asked for as the reason for the edits to come, and when that was.

    The reason is empty where edits or conversations are not captured, where nothing was said, and where the client
    speaks in the user's place. That something has ended is nothing that anybody asks for.

    Raises:
        OSError: it can't be written.
    """
    prompt = text_in(told, "prompt").lstrip()
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
    """`text` without secrets and without what is marked as private."""
    from lamella.domain.privacy.redaction import redact, without_private

    return redact(without_private(text)).text


def _asked(directory: str, session: str) -> Json:
    """What the user asked for last, and when, where that is known."""
    if not session:
        return {"reason": ""}
    from lamella_adapters.claude_code.hooks import prompt_reason

    reason = prompt_reason.kept(directory, session) if switched_on("capture_conversations") else ""
    at = prompt_reason.asked(directory, session)
    return {"reason": reason} if at is None else {"reason": reason, "asked": at}


def _command(told: Json) -> Json | None:
    from lamella_adapters.claude_code.hooks.read_only_commands import only_reads

    command = text_in(object_in(told, "tool_input"), "command")
    if only_reads(command):
        return None
    said = cleaned(command)
    found: Json = {"command": said[:_MAX_COMMAND_CHARACTERS]}
    if "git" in said[_MAX_COMMAND_CHARACTERS:].split():
        # A commit often stands behind a long text, and counts where the command says git.
        found["command"] = said[: _MAX_COMMAND_CHARACTERS - len(_GIT_FOLLOWS)] + _GIT_FOLLOWS
    took = told.get("duration_ms")
    return {**found, "took": took} if type(took) is int and 0 <= took < _LONGEST_MILLISECONDS else found


def _edit(tool: str, told: Json) -> Json | None:
    from lamella.domain.ledger.hunks import bounded
    from lamella.domain.privacy.private_files import is_private
    from lamella_adapters.claude_code.hooks import edit_hunks

    path = edit_hunks.path_of(object_in(told, "tool_input"))
    if tool not in edit_hunks.TOOLS or not path:
        return None
    folder = text_in(told, "cwd")
    path = os.path.join(folder, path)
    # What a link leads to counts as well.
    for file, place in ((path, folder), (os.path.realpath(path), os.path.realpath(folder))):
        if is_private(file.removeprefix(os.path.join(place, ""))):
            return {"skipped": FOR_SECRETS}
    hunks = edit_hunks.hunks_of(tool, object_in(told, "tool_response"))
    return {"path": cleaned(path), "hunks": bounded(cleaned(hunks))} if hunks else None
