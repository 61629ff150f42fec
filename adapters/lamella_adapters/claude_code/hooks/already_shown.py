"""What a session was told of already, so that it isn't told again.

`{data directory}/claude-code/{session}.told` has a line for each: what was told, and by which hook. They are added
at once and never changed. Of two hooks that tell the same at the same moment, that does whose line is first.
"""

# ruff: noqa: PTH103, PTH118 - importing pathlib costs a hook more than the rest

import os
import time

from lamella_adapters.claude_code.session.record_file import folder_of

MOST_BYTES = 64 * 1024
"""Some 800 things; a session that was told of so many is told of nothing more."""

_KEPT_SECONDS = 2 * 24 * 3600
"""How long what nobody adds to is kept, as records of sessions are."""

_SUFFIX = ".told"


def untold(directory: str, session: str, things: list[str]) -> list[str]:
    """Those of `things` that this hook is the first to tell the session of; they count as told from now on.

    None of them has a space or a line end.

    Raises:
        OSError: it can't be written down.
    """
    folder = folder_of(directory)
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, session + _SUFFIX)
    mine = f"{os.getpid()}.{time.monotonic_ns()}"
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        before = _tellers(descriptor)
        new = [each for each in dict.fromkeys(things) if each not in before]
        # The line end comes first: a line that was cut off ends there.
        lines = "".join(f"\n{each} {mine}" for each in new).encode()
        if not new or os.fstat(descriptor).st_size + len(lines) > MOST_BYTES:
            return []
        os.write(descriptor, lines)
        tellers = _tellers(descriptor)
    finally:
        os.close(descriptor)
    if not before:
        _forget_the_old(folder)
    return [each for each in new if tellers.get(each) == mine]


def forget(directory: str, session: str) -> None:
    """Have the session told of everything again: it knows no more what it was told."""
    try:
        os.unlink(os.path.join(folder_of(directory), session + _SUFFIX))  # noqa: PTH108 - see above
    except OSError:
        return  # it was told of nothing, or will be told of nothing twice


def _tellers(descriptor: int) -> dict[str, str]:
    """Who told of what first."""
    tellers: dict[str, str] = {}
    for line in os.pread(descriptor, MOST_BYTES, 0).decode(errors="replace").split("\n"):
        thing, _, teller = line.partition(" ")
        tellers.setdefault(thing, teller)
    tellers.pop("", None)
    return tellers


def _forget_the_old(folder: str) -> None:
    """Remove what sessions were told of that have ended long ago."""
    oldest = time.time() - _KEPT_SECONDS
    with os.scandir(folder) as entries:
        for each in entries:
            if each.name.endswith(_SUFFIX) and each.stat(follow_symlinks=False).st_mtime < oldest:
                _unlink(each.path)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - see above
    except FileNotFoundError:
        return  # another hook was faster
