"""Atomic writes: new content is complete on disk before it replaces a file."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lamella_adapters.process.calls import posix

PART = ".part"
"""Suffix of the name of an unfinished file."""


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """Open a private file, which atomically replaces `target` at the end of the block."""
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}{PART}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def drafted(beginning: str, content: bytes, *, folder: int, mode: int) -> Iterator[str]:
    """Write a new file in an open folder, and yield its name.

    After the block, delete the file unless it was moved.

    Args:
        beginning: Beginning of the name, followed by random digits.
        content: Content of the file.
        folder: Descriptor of the folder.
        mode: Permissions of the file, before the umask is applied.
    """
    name = f"{beginning}{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
    try:
        with os.fdopen(os.open(name, flags, mode, dir_fd=folder), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield name
    finally:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
