"""The folder of captures that wait to be stored: a file for each, written once.

Its name, `{nanoseconds since 1970}-{process}.json`, is the capture's for ever: storing it twice changes nothing. A
file that doesn't end in a line feed is still being written, or its writer was stopped.
"""

# ruff: noqa: PTH103, PTH108, PTH116, PTH118 - importing pathlib costs a hook more than the rest

import os

from lamella_adapters.claude_code.hooks.payload import Json, as_json
from lamella_adapters.claude_code.session.record_file import folder_of

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
"""With more than that, nobody seems to fetch them, and nothing is added."""

FULL = "the spool is full"
"""Why what comes then is passed over."""

LOOKS_EVERY = 64
"""Counting takes as long as many hooks: one in so many does it, by chance of the clock."""

LOOKS_AGAIN_NANOSECONDS = 10 * 10**9
"""How long a spool that was found full is taken for full."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW


def write(directory: str, moment: int, record: Json) -> None:
    """Add a capture to the spool in the data directory, durably; `moment` is now, in nanoseconds since 1970.

    Makes both folders where they are missing; the process's umask must leave them to the owner. Where the spool is
    full, nothing is added, but once a record that says so.

    Raises:
        OSError: it can't be written, or the spool is a symbolic link.
    """
    folder = _opened(directory)
    try:
        was_full, full = _full(folder, directory, moment)
        if full and was_full:
            return
        if full:
            record = {key: record[key] for key in ("version", "event", "at", "directory")} | {"skipped": FULL}
        _create(folder, moment, (as_json(record) + "\n").encode())
    finally:
        os.close(folder)


def _opened(directory: str) -> int:
    path = os.path.join(directory, "spool")
    try:
        return os.open(path, _FOLDER)
    except FileNotFoundError:
        for each in (directory, path):
            os.makedirs(each, 0o700, exist_ok=True)
        return os.open(path, _FOLDER)


def _create(folder: int, moment: int, content: bytes) -> None:
    name = f"{moment:020d}-{os.getpid()}.json"
    try:
        file = os.open(name, _NEW_FILE, 0o600, dir_fd=folder)
    except FileExistsError:
        # A process of the same id in another container, in the same nanosecond.
        return _create(folder, moment + 1, content)
    try:
        whole = os.write(file, content) == len(content)
        os.fsync(file)
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(file)
    if not whole:
        os.unlink(name, dir_fd=folder)
    return None


def _full(folder: int, directory: str, moment: int) -> tuple[bool, bool]:
    """Whether the spool was known to be full, and whether it is.

    That it is full is marked by a file, whose time says when it was counted.
    """
    mark = os.path.join(folder_of(directory), "spool-full")
    try:
        counted = os.stat(mark, follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        if moment // 1_000 % LOOKS_EVERY:
            return False, False
        if too_much := _holds_too_much(folder):
            os.makedirs(folder_of(directory), 0o700, exist_ok=True)
            _touch(mark, moment)
        return False, too_much
    if 0 <= moment - counted < LOOKS_AGAIN_NANOSECONDS:
        return True, True
    if too_much := _holds_too_much(folder):
        _touch(mark, moment)
    else:
        _unlink(mark)
    return True, too_much


def _holds_too_much(folder: int) -> bool:
    files = size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            files += 1
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue  # it was just stored
            if files >= MOST_FILES or size >= MOST_BYTES:
                return True
    return False


def _touch(path: str, moment: int) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
    os.utime(path, ns=(moment, moment), follow_symlinks=False)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another hook was faster
