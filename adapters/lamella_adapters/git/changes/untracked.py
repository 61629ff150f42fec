"""Untracked files, read as if all lines were additions."""

import os
import stat
from typing import Final

from lamella_adapters.git.changes.patch import HEAD_BYTES, Counted, beginning
from lamella_adapters.git.repository.paths import opened_folder

_MAX_FILE_BYTES: Final = 16 * 1024 * 1024
"""Maximum size of a file whose lines are counted. Larger files are not source code."""

_MAX_TEXT_BYTES: Final = 1024 * 1024
"""Maximum size of a text in bytes. Longer texts are truncated."""

_BINARY_BYTES: Final = 8_000
"""Number of bytes to check at the start. As in git, a file is binary if one of these bytes is NUL."""


def additions(root: str, path: str) -> Counted | None:
    """Return the change that adds the file at `path`; None if the file can't be read.

    Only regular files inside `root` are opened. As in git, a symbolic link has a single line, the path of the
    link's target.

    Args:
        root: The folder that `path` is relative to.
        path: A path as `paths.relative` returns it.
    """
    try:
        with opened_folder(root, path) as (folder, name):
            if stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode):
                return _added(os.fsencode(os.readlink(name, dir_fd=folder)), lines=1, complete=True)
            return _read(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder))
    except (OSError, ValueError):
        return None


def content(root: str, path: str) -> bytes | None:
    """Return the content of the file at `path`, truncated to 1 MiB. None for a binary or unreadable file."""
    try:
        with opened_folder(root, path) as (folder, name):
            return _text(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder))
    except (OSError, ValueError):
        return None


def _text(descriptor: int) -> bytes | None:
    with open(descriptor, "rb", buffering=0) as file:
        text = file.read(_MAX_TEXT_BYTES + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b"\0"
    return None if b"\0" in text[:_BINARY_BYTES] else beginning(text, _MAX_TEXT_BYTES)


def _read(descriptor: int) -> Counted | None:
    with open(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_FILE_BYTES:
            return None
        content = file.read(_MAX_FILE_BYTES)
    if b"\0" in content[:_BINARY_BYTES]:
        return Counted(None, None)
    lines = content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
    return _added(beginning(content, HEAD_BYTES), lines=lines, complete=len(content) <= HEAD_BYTES)


def _added(content: bytes, *, lines: int, complete: bool) -> Counted:
    if not content:
        return Counted(0, 0)
    shown = content.split(b"\n")
    if shown[-1] == b"":
        shown.pop()
    elif complete:
        shown[-1] += b"\n\\ No newline at end of file"
    hunk = b"@@ -0,0 +%d @@" % lines if lines == 1 else b"@@ -0,0 +1,%d @@" % lines
    return Counted(lines, 0, b"\n".join([hunk, *(b"+" + line for line in shown)]) + b"\n")
