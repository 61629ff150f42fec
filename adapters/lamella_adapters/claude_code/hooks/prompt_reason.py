"""Why edits are made, as far as it is known: the first sentence of what the user asked for last in the session.

One hook hears the prompt, and others capture what comes of it; between them it stands in
`{data directory}/claude-code/{session}.reason`, which is empty where no reason is known. When that was changed
tells when the user asked.
"""

# ruff: noqa: PTH103, PTH118 - importing pathlib costs a hook more than the rest

import os
import time

from lamella_adapters.claude_code.session.record_file import folder_of, replace

MAX_CHARACTERS = 300

_LEAST_CHARACTERS = 12
"""What ends before is no sentence, but `1.` or `Hi!`."""

_MAX_BYTES = 4 * MAX_CHARACTERS


def first_sentence(text: str) -> str:
    """Return the first sentence of `text` on one line, or what there is of it in `MAX_CHARACTERS`."""
    from lamella.domain.text import sentences  # noqa: PLC0415 - most hooks hear no prompt

    return sentences.first_sentence(text, least=_LEAST_CHARACTERS, most=MAX_CHARACTERS)


def keep(directory: str, session: str, reason: str) -> None:
    """Write down that the user asks for something now, and that this is the reason for what comes next.

    Where there is no room for it, no reason is known; where not even that can be written down, nothing changes.

    Raises:
        OSError: it can't be written.
    """
    for each in (directory, folder_of(directory)):
        os.makedirs(each, 0o700, exist_ok=True)
    file = _file(directory, session)
    try:
        replace(file, reason)
    except OSError:
        os.close(os.open(file, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK))
    # Not the file system's clock: that may be another machine's.
    now = time.time_ns()
    os.utime(file, ns=(now, now), follow_symlinks=False)


def kept(directory: str, session: str) -> str:
    """The reason that was kept last in the session; empty if none is known."""
    try:
        # Neither a link nor a pipe that someone put there is waited for or followed.
        descriptor = os.open(_file(directory, session), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            return os.read(descriptor, _MAX_BYTES).decode()
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return ""


def asked(directory: str, session: str) -> float | None:
    """When the user asked for something last in the session, in seconds since 1970; None if it isn't known."""
    try:
        return os.stat(_file(directory, session), follow_symlinks=False).st_mtime_ns / 1e9  # noqa: PTH116 - see above
    except OSError:
        return None


def _file(directory: str, session: str) -> str:
    return os.path.join(folder_of(directory), f"{session}.reason")
