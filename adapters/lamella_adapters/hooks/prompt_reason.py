"""Reason of the edits of a session: the first sentence of the user's last prompt, or of a sub-agent's task.

The hook for prompts writes the reason to `{data directory}/claude-code/{session}.reason`, and the hooks that
capture edits read it. If the reason is unknown, the file is empty. The modification time of the file is the time
of the prompt.
"""

import time

from lamella_adapters.hooks.paths import joined, make_folders
from lamella_adapters.hooks.payload import object_in, objects_in, parsed, read_line, text_in
from lamella_adapters.hooks.session_records import content_of, folder_of, replace
from lamella_adapters.process.calls import Descriptor, posix

MAX_CHARACTERS = 300

_LEAST_CHARACTERS = 12
"""Minimum length of a sentence. Shorter sentences, such as `1.` or `Hi!`, are no reason."""

_MAX_BYTES = 4 * MAX_CHARACTERS


def first_sentence(text: str) -> str:
    """Return the first sentence of `text` on one line, or as much of it as fits in `MAX_CHARACTERS`."""
    from lamella.domain.text import sentences  # noqa: PLC0415 - most hooks receive no prompt

    return sentences.first_sentence(text, least=_LEAST_CHARACTERS, most=MAX_CHARACTERS)


def keep(directory: str, session: str, reason: str) -> None:
    """Record a prompt of the user, with the reason for the following edits.

    If the disk is full, empty the file. If that fails as well, the former reason stays.

    Raises:
        OSError: The file can't be written.
    """
    make_folders(folder_of(directory))
    file = _file(directory, session)
    try:
        replace(file, reason.encode(errors="replace"))
    except OSError:
        posix.close(posix.open(file, posix.O_WRONLY | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_NONBLOCK))
    # Set the time explicitly, because a network file system would use its server's clock.
    now = time.time_ns()
    posix.utime(file, ns=(now, now), follow_symlinks=False)


def kept(directory: str, session: str) -> str:
    """Return the last reason kept in the session; empty if the reason is unknown."""
    return content_of(_file(directory, session), _MAX_BYTES)


def asked(directory: str, session: str) -> float | None:
    """Return the time of the session's last prompt, in seconds since 1970; None if the time is unknown."""
    try:
        return posix.stat(_file(directory, session), follow_symlinks=False).st_mtime_ns / 1e9
    except OSError:
        return None


def task(transcript: str) -> str:
    """Return the task of a sub-agent, which is the first record of its transcript; empty if unknown."""
    try:
        with Descriptor(
            posix.open(transcript, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
        ) as descriptor:
            record = parsed(read_line(descriptor) or b"") or {}
    except (OSError, ValueError):
        return ""
    message = object_in(record, "message") if text_in(record, "type") == "user" else {}
    return text_in(message, "content") or "\n".join(
        text_in(each, "text") for each in objects_in(message, "content")
    )


def _file(directory: str, session: str) -> str:
    return joined(folder_of(directory), f"{session}.reason")
