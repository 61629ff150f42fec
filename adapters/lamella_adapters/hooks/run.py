"""Main program of a hook: read one line from the client, capture the event, and print context.

If a hook failed, the client would interrupt the user's work. A hook therefore always ends in time and with
success, and prints nothing but context for the model. The exception is a failure before the hook has read its
input. This failure is reported, because the client can then run `lamella hook` instead.
"""

# ruff: noqa: BLE001, SLF001 - hooks never fail; `posix` has no public name for `_exit`

import _signal  # type: ignore[import-not-found] # `signal` imports `enum`, which costs as much as all the rest
import sys
import time

from lamella_adapters.hooks.capture import captured, cleaned, keep_prompt
from lamella_adapters.hooks.clients import COMPACTED, LIKE, OTHER, PROMPT, START, Event
from lamella_adapters.hooks.options import CONTEXTS, OPTIONS, data_directory, memory_is_off, switched_on
from lamella_adapters.hooks.paths import is_absolute, variable
from lamella_adapters.hooks.payload import Json, as_json, parsed, read_line, text_in
from lamella_adapters.hooks.session_records import names_a_file, note_client, record_session
from lamella_adapters.hooks.spool_writer import write
from lamella_adapters.process.calls import posix

SECONDS = 3
"""Time limit of a hook, for example if no input comes or a disk hangs."""

CLAUDE_CODE = "claude-code"
TOO_LARGE = "input too large"
NO_INPUT = "no hook input"
LATE = "no context at {event}: time ran out"

_CLIENTS = "lamella_adapters.hooks.clients"
_VERSION = 2
_NOTHING: tuple[str, list[str]] = ("", [])

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Normaliser(Protocol):
        """A normaliser: a module of the package `clients`."""

        def event(self, payload: Json, name: str) -> Event:
            """Return the event in a payload."""

        def output(self, event: Event, context: str) -> Json:
            """Return context as the client accepts it."""


def run(client: str = CLAUDE_CODE, event: str = "") -> None:
    """Answer the event on standard input, and end the process.

    Args:
        client: Name of the client that calls.
        event: The client's name of the event, for clients whose input doesn't have it.
    """
    try:
        _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))
        _signal.alarm(SECONDS)
        posix.umask(0o077)
        output = answer(read_line(0), client, event)
        if output:
            posix.write(1, output)
    finally:
        # Ignore exceptions, because the user could do nothing about them. Skip the interpreter's cleanup, which
        # would take a fifth of the hook's time.
        posix._exit(0)


def answer(line: bytes | None, client: str = CLAUDE_CODE, event: str = "") -> bytes:
    """Capture the event in `line`, and return the output, possibly empty.

    Args:
        line: One line of JSON; None if the line was too long to be read.
        client: Name of the calling client.
        event: The client's name of the event, for clients that omit it from their input.

    Raises:
        OSError, KeyError: The data directory can't be determined.
        ImportError: The client is unknown.
    """
    directory = data_directory()
    payload = {} if line is None else parsed(line) or {}
    name = client.replace("-", "_")
    normaliser = _normaliser(name)
    happened = normaliser.event(payload, event)
    happened.directory = happened.directory or posix.getcwd()
    if not names_a_file(happened.session) or cleaned(happened.session) != happened.session:
        happened.session = ""
    if memory_is_off(directory, happened.directory):
        return b""
    now = time.time_ns()
    if not payload or not happened.name:
        missing = TOO_LARGE if line is None else NO_INPUT
        _spool(directory, now, {**_about(happened, name, now), "event": OTHER, "skipped": missing})
        return b""
    (context, shown), missed = _context(happened, directory)
    try:
        given = _given(context, shown, missed, happened.returning)
        _keep(happened, directory, now, _about(happened, name, now), given)
    except Exception:  # noqa: S110 - context is printed even if capturing fails
        pass
    return as_json(normaliser.output(happened, context)).encode() if context else b""


def _normaliser(client: str) -> "Normaliser":
    # Import the module with `__import__`, because importing `importlib` takes time.
    name = f"{_CLIENTS}.{LIKE.get(client, client)}"
    __import__(name)
    return sys.modules[name]


def _about(event: Event, client: str, now: int) -> Json:
    """Return the fields that all records have: client, event, time, directory and session."""
    about: Json = {
        "version": _VERSION,
        "client": client,
        "event": event.kind,
        "at": now / 1e9,
        "directory": cleaned(event.directory),
    }
    if event.session:
        about["session"] = event.session
    if event.transcript:
        about["transcript"] = cleaned(event.transcript)
    for name in ("project", "author"):
        if chosen := variable(f"LAMELLA_{name.upper()}").strip():
            about[name] = cleaned(chosen)
    return about


def _given(context: str, shown: list[str], missed: str, returning: str) -> Json:
    """Return the fields of the record about the model's context; no fields if there is nothing to record."""
    if context:
        from lamella_adapters.hooks.context.fence import tokens  # noqa: PLC0415 - see `_context`

        given: Json = {"injected": tokens(context), "shown": " ".join(shown)}
        return {**given, "edit": returning} if returning else given
    return {"skipped": missed} if missed else {}


def _keep(event: Event, directory: str, now: int, about: Json, given: Json) -> None:
    """Write records to the spool: all captures, and a record about the context given to the model."""
    if event.kind == PROMPT:
        keep_prompt(event, directory)
    if event.session:
        _record(event, directory, text_in(about, "client"))
    records = captured(event, directory)
    if given:
        records.insert(0, given)
    if event.kind == START:
        if off := [option for option in OPTIONS if not switched_on(option)]:
            records.append({"skipped": f"switched off: {', '.join(off)}"})
        if event.context_lost and switched_on("capture_conversations"):
            # Claude Code prints the command line of each hook that runs before a compaction, but not after it. So
            # record the compaction when the session restarts.
            records.append({"event": COMPACTED})
    for number, record in enumerate(records):
        # Records are named by their time, so give each a different one.
        _spool(directory, now + number, {**about, **record}, of_context=number == 0 and bool(given))


def _record(event: Event, directory: str, client: str) -> None:
    """Record the session of the client's process.

    If the event doesn't name the process, look the process up only at a start or a prompt. Other events don't
    begin a session.
    """
    process = event.process
    if event.kind in (START, PROMPT):
        note_client(directory, client)
        if not process:
            from lamella_adapters.hooks.session.processes import client as client_process  # noqa: PLC0415 - see above

            process = client_process()
    if process:
        record_session(directory, process, event.session)


def _spool(directory: str, now: int, record: Json, *, of_context: bool = False) -> None:
    # Without a working directory, nothing can be recorded. If neither edits nor conversations are captured, record
    # only context.
    folder = record["directory"]
    captures = switched_on("capture_edits") or switched_on("capture_conversations")
    if is_absolute(str(folder)) and (captures or of_context):
        write(directory, now, record)


def _context(event: Event, directory: str) -> tuple[tuple[str, list[str]], str]:
    """Return the context for the model, the keys of its memories, and the reason if there is no context."""
    option = CONTEXTS.get(event.asks)
    if option is None or not switched_on(option):
        return _NOTHING, ""
    try:
        from lamella_adapters.hooks.context.answer import answer as context  # noqa: PLC0415 - would double the time of events without context

        return context(event, directory) or _NOTHING, ""
    except TimeoutError:
        return _NOTHING, LATE.format(event=event.kind)
    except Exception:
        return _NOTHING, ""
