"""Selection of an event's captured fields, with secrets redacted."""

# ruff: noqa: PLC0415 - imports cost the hook time, so they are made where they are needed

import time

from lamella_adapters.hooks.clients import BEFORE_EDIT, COMPACTED, END, PROMPT, REPLY, Edit, Event
from lamella_adapters.hooks.options import switched_on
from lamella_adapters.hooks.paths import joined, real_path
from lamella_adapters.hooks.payload import Json

AFTER_WORDS = (COMPACTED, REPLY, END)
"""Kinds of events after which the transcript has new messages."""

FOR_SECRETS = "a file for secrets"
"""The reason for skipping an edit."""

_MAX_COMMAND_CHARACTERS = 200
_GIT_FOLLOWS = " ... git"
_LONGEST_MILLISECONDS = 24 * 3600 * 1000
"""Maximum plausible duration: a day. Longer durations are dropped."""


def captured(event: Event, directory: str) -> list[Json]:
    """Return the records to capture for an event, with their fields redacted. Usually there is at most one.

    Args:
        event: The event.
        directory: The data directory.
    """
    records: list[Json] = [{}] if event.kind in AFTER_WORDS and switched_on("capture_conversations") else []
    if event.kind == PROMPT and switched_on("capture_edits"):
        # When this capture is stored, lamella looks for changes that the user made by hand before the prompt.
        records.append({"command": "", "took": 0})
    if event.kind == BEFORE_EDIT or not (event.edits or event.command) or not switched_on("capture_edits"):
        return records
    found = [_edit(each, event.directory) for each in event.edits]
    found.append(_command(event) if event.command else None)
    asked: Json = {}
    for each in found:
        if each is not None and "skipped" not in each:
            asked = asked or _asked(directory, event)
            took = _turn(asked) if event.kind == REPLY else {}
            each = {"tool": event.tool, **each, **asked, **took}  # noqa: PLW2901 - extends the record
        if each is not None:
            records.append(each)
    return records


def keep_prompt(event: Event, directory: str) -> None:
    """Store the user's prompt as the reason of the following edits, and the time of the prompt.

    The stored reason is empty if edits aren't captured, if conversations aren't captured, or if the client itself
    wrote the prompt.

    Args:
        event: The prompt.
        directory: The data directory.

    Raises:
        OSError: The reason can't be written.
    """
    if not event.session:
        return
    from lamella_adapters.hooks import prompt_reason

    said = event.prompt if switched_on("capture_edits") and switched_on("capture_conversations") else ""
    prompt_reason.keep(directory, event.session, prompt_reason.first_sentence(cleaned(said)))


def cleaned(text: str) -> str:
    """Return `text` without secrets and private parts."""
    from lamella.domain.privacy import redaction

    return redaction.cleaned(text).text


def _asked(directory: str, event: Event) -> Json:
    """Return two fields of an edit or command: its reason, and the time of the user's last prompt, if known.

    The reason is a sentence of the user's last prompt or, for a sub-agent, of the sub-agent's task.
    """
    if not event.session:
        return {"reason": ""}
    from lamella_adapters.hooks import prompt_reason

    reason = ""
    if switched_on("capture_conversations"):
        task = prompt_reason.first_sentence(cleaned(prompt_reason.task(event.task))) if event.task else ""
        reason = task or prompt_reason.kept(directory, event.session)
    at = prompt_reason.asked(directory, event.session)
    return {"reason": reason} if at is None else {"reason": reason, "asked": at}


def _turn(asked: Json) -> Json:
    """Return the field with the duration of the current turn; no field if the start of the turn is unknown."""
    began = asked.get("asked")
    if not isinstance(began, float):
        return {}
    return {"took": min(max(int(1000 * (time.time() - began)), 0), _LONGEST_MILLISECONDS)}


def _command(event: Event) -> Json | None:
    from lamella_adapters.hooks.read_only_commands import only_reads

    if only_reads(event.command):
        return None
    said = cleaned(event.command)
    found: Json = {"command": said[:_MAX_COMMAND_CHARACTERS]}
    if "git" in said[_MAX_COMMAND_CHARACTERS:].split():
        # In a long command, `git commit` often follows a long text, and would be cut off. End the command with
        # a text that has the word git, because lamella looks for commits only after commands with this word.
        found["command"] = said[: _MAX_COMMAND_CHARACTERS - len(_GIT_FOLLOWS)] + _GIT_FOLLOWS
    took = event.took
    return {**found, "took": took} if type(took) is int and 0 <= took < _LONGEST_MILLISECONDS else found


def _edit(edit: Edit, folder: str) -> Json | None:
    from lamella.domain.ledger.hunks import bounded
    from lamella.domain.privacy.private_files import is_private

    path = joined(folder, edit.path)
    # Check the target of a link, too: it may be a private file.
    for file, place in ((path, folder), (real_path(path), real_path(folder))):
        if is_private(file.removeprefix(joined(place, ""))):
            return {"skipped": FOR_SECRETS}
    return {"path": cleaned(path), "hunks": bounded(cleaned(edit.hunks))} if edit.hunks else None
