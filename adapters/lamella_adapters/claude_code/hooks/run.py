"""A hook's whole life: one line from Claude Code, something to write down, something to say, and the end.

Whatever happens, it ends well and in time, having said nothing but what the model may see: a hook that fails would
stop the user. What fails before the input is read is another matter: then `lamella hook` is tried instead.
"""

# ruff: noqa: BLE001, PTH109, PTH117 - see above; importing pathlib costs a hook more than the rest

import _signal  # type: ignore[import-not-found] # `signal` imports `enum`, which costs as much as all the rest
import os
import time

from lamella_adapters.claude_code.hooks.capture import captured, cleaned, hear
from lamella_adapters.claude_code.hooks.options import CONTEXTS, OPTIONS, data_directory, switched_on
from lamella_adapters.claude_code.hooks.payload import Json, as_json, parsed, read_line, text_in
from lamella_adapters.claude_code.hooks.spool_writer import write
from lamella_adapters.claude_code.session.record_file import names_a_file, record_session

SECONDS = 3
"""After so long a hook gives up, whatever it waits for: input that doesn't come, or a disk that hangs."""

TOO_LARGE = "input too large"
NO_INPUT = "no hook input"

_VERSION = 1


def run() -> None:
    """Does what this process was started for, and ends it."""
    try:
        _signal.signal(_signal.SIGALRM, _give_up)
        _signal.alarm(SECONDS)
        os.umask(0o077)
        said = answer(read_line(0))
        if said:
            os.write(1, said)
    finally:
        # Whatever was raised, for nobody could do anything about it; and without the interpreter's clearing up,
        # which takes a fifth of its life.
        os._exit(0)


def answer(line: bytes | None) -> bytes:
    """Writes down what is to be kept of the event in `line`, and returns what is to be said; empty if nothing.

    Raises:
        OSError, KeyError: there is no data directory.
    """
    moment = time.time_ns()
    directory = data_directory()
    told = {} if line is None else parsed(line) or {}
    event = text_in(told, "hook_event_name")
    about = _about(event, moment, told)
    if not event:
        _spool(directory, moment, {**about, "skipped": TOO_LARGE if line is None else NO_INPUT})
        return b""
    session = text_in(about, "session")
    context = _context(event, told, directory)
    try:
        if event == "UserPromptSubmit":
            hear(told, directory, session)
        _record_session(directory, session)
        kept = captured(event, told, directory, session)
        if context:
            kept = {"injected": _tokens(context)}
        if kept is not None:
            _spool(directory, moment, {**about, **kept})
        if event == "SessionStart" and (off := [option for option in OPTIONS if not switched_on(option)]):
            # A nanosecond later: the moment is the record's name.
            _spool(directory, moment + 1, {**about, "skipped": f"switched off: {', '.join(off)}"})
    except Exception:  # noqa: S110 - what can't be kept keeps nothing from being said
        pass
    if not context:
        return b""
    said: Json = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return as_json(said).encode()


def _about(event: str, moment: int, told: Json) -> Json:
    """What every record says: what happened when, where, and in which session."""
    session = text_in(told, "session_id")
    about: Json = {
        "version": _VERSION,
        "event": event or "unknown",
        "at": moment / 1e9,
        "directory": cleaned(text_in(told, "cwd") or os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()),
    }
    if names_a_file(session) and cleaned(session) == session:
        about["session"] = session
    if transcript := text_in(told, "transcript_path"):
        about["transcript"] = cleaned(transcript)
    if project := os.environ.get("LAMELLA_PROJECT", "").strip():
        about["project"] = cleaned(project)
    return about


def _record_session(directory: str, session: str) -> None:
    pid = os.environ.get("CLAUDE_PID", "")
    if session and pid.isdecimal():
        record_session(directory, int(pid), session)


def _spool(directory: str, moment: int, record: Json) -> None:
    # Nobody works outside of a folder, and where both captures are off, there is nothing to tell of either.
    folder = text_in(record, "directory")
    captures = switched_on("capture_edits") or switched_on("capture_conversations")
    if os.path.isabs(folder) and (captures or "injected" in record):
        write(directory, moment, record)


def _context(event: str, told: Json, directory: str) -> str | None:
    option = CONTEXTS.get(event)
    if option is None or not switched_on(option):
        return None
    try:
        from lamella_adapters.claude_code.hooks.context import answer as context  # noqa: PLC0415 - costs others as much as all the rest

        return context(event, told, directory)
    except Exception:
        return None


def _tokens(context: str) -> int:
    from lamella_adapters.claude_code.hooks.fence import tokens  # noqa: PLC0415 - as above

    return tokens(context)


def _give_up(*_: object) -> None:
    os._exit(0)
