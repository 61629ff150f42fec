"""Hunks of replacements, for clients that report what they have replaced but not where."""

import posix
import stat

from lamella_adapters.hooks.clients import Edit
from lamella_adapters.hooks.clients.hunks import between

_MOST_BYTES = 512 * 1024
"""A larger file was not written by hand."""


_MOST_PLACED = 100
"""Replacements whose places are looked for: each reads the whole file."""


def made(edit: Edit) -> str:
    """Return the hunks of an edit's replacements, with whole lines where the file as it is now shows them.

    Otherwise, such as for text that was only taken out, they have the lines of the replacement and no numbers.
    """
    text = _text(edit.path) if len(edit.replacements) <= _MOST_PLACED else None
    hunks = []
    for old, new, _ in reversed(edit.replacements):
        if text is not None and new and text.count(new) == 1:
            before = text.replace(new, old)
            hunks.append(between(before, text))
            text = before
        else:
            text = None
            _, found, lines = between(old, new).partition("\n")
            hunks.append(f"@@ @@\n{lines}" if found else "")
    return "\n".join(hunk for hunk in reversed(hunks) if hunk)


def _text(path: str) -> str | None:
    """Return the text of a file, None if it can't be read, is too large or not a regular file."""
    try:
        # Pipes and devices must not block.
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK)
    except OSError:
        return None
    try:
        status = posix.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            return None
        return posix.read(descriptor, _MOST_BYTES).decode(errors="replace")
    finally:
        posix.close(descriptor)
