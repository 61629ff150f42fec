"""Record of the items shown in a session, so that each item is shown only once.

`{data directory}/claude-code/{session}.told` has a line for each shown item, for example a memory. The line
contains the item's key and the hook that shows it. Each hook appends all of its lines in one write, and lines
never change. If two hooks record the same item, the hook whose line comes first shows it.
"""

# ruff: noqa: PTH103, PTH118 - importing pathlib would take longer than the rest of a hook

import os
import time

from lamella_adapters.hooks.session_records import folder_of, forget_the_old
from lamella_adapters.process.calls import Descriptor

MOST_BYTES = 64 * 1024
"""Maximum size of the record, enough for some 800 items.

Once the record is full, the session gets no more items.
"""

_SUFFIX = ".told"
_STARTED = "started:"
"""Prefix of the record's keys for starts of the session. A time in microseconds since 1970 follows."""


def not_yet_shown(directory: str, session: str, things: list[str]) -> list[str]:
    """Record `things` (keys of items) for a session. Return the keys that no other hook had recorded.

    Args:
        directory: The data directory.
        session: The id of the session, valid as a file name.
        things: Keys without spaces and line endings.

    Raises:
        OSError: The record can't be written.
    """
    folder = folder_of(directory)
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, session + _SUFFIX)
    mine = f"{os.getpid()}.{time.monotonic_ns()}"
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    with Descriptor(os.open(path, flags, 0o600)) as descriptor:
        before = _shown_by(descriptor)
        new = [each for each in dict.fromkeys(things) if each not in before]
        # Begin with the line end, to terminate a truncated line.
        lines = "".join(f"\n{each} {mine}" for each in new).encode()
        if not new or os.fstat(descriptor).st_size + len(lines) > MOST_BYTES:
            return []
        os.write(descriptor, lines)
        shown_by = _shown_by(descriptor)
    if not before:
        forget_the_old(folder)
    return [each for each in new if shown_by.get(each) == mine]


def shown_before(directory: str, session: str) -> tuple[frozenset[str], int | None]:
    """Return the keys of the items shown to a session, and the time of its latest start, or None if unknown."""
    try:
        path = os.path.join(folder_of(directory), session + _SUFFIX)
        opened = Descriptor(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK))
    except OSError:
        return frozenset(), None
    with opened as descriptor:
        things = frozenset(_shown_by(descriptor))
    times = [each.removeprefix(_STARTED) for each in things if each.startswith(_STARTED)]
    return things, max((int(each) for each in times if each.isdecimal()), default=None)


def start_now() -> str:
    """Return the key to record for the start of a session."""
    return f"{_STARTED}{time.time_ns() // 1_000}"


def forget(directory: str, session: str) -> None:
    """Delete the record of a session that has lost its context, so that all items are shown again."""
    try:
        os.unlink(os.path.join(folder_of(directory), session + _SUFFIX))  # noqa: PTH108 - see above
    except OSError:
        return  # nothing was shown, or the record can't be read


def _shown_by(descriptor: int) -> dict[str, str]:
    """Return the hook that first recorded each key."""
    shown_by: dict[str, str] = {}
    for line in os.pread(descriptor, MOST_BYTES, 0).decode(errors="replace").split("\n"):
        thing, _, hook = line.partition(" ")
        shown_by.setdefault(thing, hook)
    shown_by.pop("", None)
    return shown_by
