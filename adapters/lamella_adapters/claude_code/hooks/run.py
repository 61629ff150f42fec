"""Main program of a hook: read one line from Claude Code, capture the event, and print context.

A failing hook would stop the user, so it always succeeds in time, and prints nothing but context for the model.
Only failures before the input is read are reported: then `lamella hook` is tried instead.
"""

# ruff: noqa: BLE001, PTH109, PTH117 - see above; importing pathlib costs a hook more than the rest

import _signal  # type: ignore[import-not-found] # `signal` imports `enum`, which costs as much as all the rest
import os
import time

from lamella_adapters.claude_code.hooks.capture import COMPACTED, captured, cleaned, keep_prompt
from lamella_adapters.claude_code.hooks.options import (
    CONTEXTS,
    OPTIONS,
    data_directory,
    memory_is_off,
    switched_on,
)
from lamella_adapters.claude_code.hooks.payload import Json, as_json, parsed, read_line, text_in
from lamella_adapters.claude_code.hooks.spool_writer import write
from lamella_adapters.claude_code.session.record_file import names_a_file, record_session

SECONDS = 3
"""Time limit of a hook, for example if no input comes or a disk hangs."""

TOO_LARGE = "input too large"
NO_INPUT = "no hook input"
LATE = "no context at {event}: time ran out"

_VERSION = 1
_NOTHING: tuple[str, list[str]] = ("", [])


def run() -> None:
    """Answer the event on standard input, and end the process."""
    try:
        _signal.signal(_signal.SIGALRM, _give_up)
        _signal.alarm(SECONDS)
        os.umask(0o077)
        output = answer(read_line(0))
        if output:
            os.write(1, output)
    finally:
        # Exceptions are ignored, because the user could do nothing about them. The interpreter's cleaning up is
        # skipped, because it takes a fifth of the time.
        os._exit(0)


def answer(line: bytes | None) -> bytes:
    """Capture the event in `line`, and return what to print, which may be empty.

    Args:
        line: One line of JSON, None if it was too long to be read.

    Raises:
        OSError, KeyError: There is no data directory.
    """
    directory = data_directory()
    payload = {} if line is None else parsed(line) or {}
    here = text_in(payload, "cwd") or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    return b"" if memory_is_off(directory, here) else _answered(payload, directory, too_large=line is None)


def _answered(payload: Json, directory: str, *, too_large: bool) -> bytes:
    now = time.time_ns()
    event = text_in(payload, "hook_event_name")
    about = _about(event, now, payload)
    if not event:
        _spool(directory, now, {**about, "skipped": TOO_LARGE if too_large else NO_INPUT})
        return b""
    session = text_in(about, "session")
    (context, shown), missed = _context(event, payload, directory)
    try:
        if event == "UserPromptSubmit":
            keep_prompt(payload, directory, session)
        _record_session(directory, session)
        kept = captured(event, payload, directory, session)
        if context:
            from lamella_adapters.claude_code.hooks.fence import tokens  # noqa: PLC0415 - as in `_context`

            kept = {"injected": tokens(context), "shown": " ".join(shown)}
        elif missed:
            kept = {"skipped": missed}
        if kept is not None:
            _spool(directory, now, {**about, **kept}, of_context=bool(context or missed))
        if event == "SessionStart" and text_in(payload, "source") == "compact":
            # Claude Code prints the command line of each hook before a compaction, and none after it.
            _spool_compaction(payload, directory, now + 2, about)
        if event == "SessionStart" and (off := [option for option in OPTIONS if not switched_on(option)]):
            # A nanosecond later, because the time is the record's name.
            _spool(directory, now + 1, {**about, "skipped": f"switched off: {', '.join(off)}"})
    except Exception:  # noqa: S110 - context is printed even if capturing fails
        pass
    if not context:
        return b""
    output: Json = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return as_json(output).encode()


def _about(event: str, now: int, payload: Json) -> Json:
    """Return the fields of every record: event, time, directory and session."""
    session = text_in(payload, "session_id")
    about: Json = {
        "version": _VERSION,
        "event": event or "unknown",
        "at": now / 1e9,
        "directory": cleaned(text_in(payload, "cwd") or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()),
    }
    if names_a_file(session) and cleaned(session) == session:
        about["session"] = session
    if transcript := text_in(payload, "transcript_path"):
        about["transcript"] = cleaned(transcript)
    for name in ("project", "author"):
        if chosen := os.environ.get(f"LAMELLA_{name.upper()}", "").strip():
            about[name] = cleaned(chosen)
    return about


def _record_session(directory: str, session: str) -> None:
    pid = os.environ.get("CLAUDE_PID", "")
    if session and pid.isdecimal():
        record_session(directory, int(pid), session)


def _spool(directory: str, now: int, record: Json, *, of_context: bool = False) -> None:
    # A record needs a folder to belong to. If both captures are off, only records of context are written.
    folder = text_in(record, "directory")
    captures = switched_on("capture_edits") or switched_on("capture_conversations")
    if os.path.isabs(folder) and (captures or of_context):
        write(directory, now, record)


def _spool_compaction(payload: Json, directory: str, now: int, about: Json) -> None:
    """Record that the conversation was compacted, so that its part before is summed up."""
    kept = captured(COMPACTED, payload, directory, text_in(about, "session"))
    if kept is not None:
        _spool(directory, now, {**about, "event": COMPACTED, **kept})


def _context(event: str, payload: Json, directory: str) -> tuple[tuple[str, list[str]], str]:
    """Return the context for the model, the keys of its memories, and why it is missing, if time ran out."""
    option = CONTEXTS.get(event)
    if option is None or not switched_on(option):
        return _NOTHING, ""
    try:
        from lamella_adapters.claude_code.hooks.context import answer as context  # noqa: PLC0415 - costs other events as much as all the rest

        return context(event, payload, directory) or _NOTHING, ""
    except TimeoutError:
        return _NOTHING, LATE.format(event=event)
    except Exception:
        return _NOTHING, ""


def _give_up(*_: object) -> None:
    os._exit(0)
