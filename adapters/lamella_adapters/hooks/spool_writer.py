"""Writer of the spool, the folder of captures that wait to be stored.

Each capture is a file that is written once. Its name, `{nanoseconds since 1970}-{process}.json`, is the capture's
permanent name, so that storing it twice changes nothing. A file that doesn't end in a line feed is still being
written, or its writer was stopped.
"""

# ruff: noqa: PTH103, PTH116, PTH118 - importing pathlib costs a hook more than the rest

import os

from lamella_adapters.hooks.payload import Json, as_json
from lamella_adapters.hooks.session_records import folder_of, remove

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
"""Limits of the spool. Nothing is added to a larger one, which no process seems to drain."""

FULL = "the spool is full"
"""The reason why later captures are skipped."""

COUNTS_EVERY = 64
"""One hook in so many counts the files, chosen by the clock, because counting takes as long as many hooks."""

RECOUNT_NANOSECONDS = 10 * 10**9
"""Time until a full spool is counted again."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW


def write(directory: str, now: int, record: Json) -> None:
    """Add a capture to the spool durably, or if the spool is full, one record that says so.

    Missing folders are made. The process's umask must leave them to the owner.

    Args:
        directory: The data directory.
        now: The current time in nanoseconds since 1970.
        record: The fields of the capture.

    Raises:
        OSError: The capture can't be written, or the spool is a symbolic link.
    """
    folder = _opened(directory)
    try:
        was_full, full = _full(folder, directory, now)
        if full and was_full:
            return
        if full:
            record = {key: record[key] for key in ("version", "event", "at", "directory")} | {"skipped": FULL}
        _create(folder, now, (as_json(record) + "\n").encode())
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


def _create(folder: int, now: int, content: bytes) -> None:
    name = f"{now:020d}-{os.getpid()}.json"
    try:
        file = os.open(name, _NEW_FILE, 0o600, dir_fd=folder)
    except FileExistsError:
        # A process of the same id in another container, in the same nanosecond.
        return _create(folder, now + 1, content)
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


def _full(folder: int, directory: str, now: int) -> tuple[bool, bool]:
    """Return two booleans: the spool was known to be full, and it is full now.

    The file `spool-full` marks a full spool. Its time is that of the last count.
    """
    mark = os.path.join(folder_of(directory), "spool-full")
    try:
        counted = os.stat(mark, follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        if now // 1_000 % COUNTS_EVERY:
            return False, False
        if too_much := _holds_too_much(folder):
            os.makedirs(folder_of(directory), 0o700, exist_ok=True)
            _touch(mark, now)
        return False, too_much
    if 0 <= now - counted < RECOUNT_NANOSECONDS:
        return True, True
    if too_much := _holds_too_much(folder):
        _touch(mark, now)
    else:
        remove(mark)
    return True, too_much


def _holds_too_much(folder: int) -> bool:
    files = size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            files += 1
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue  # it was stored meanwhile
            if files >= MOST_FILES or size >= MOST_BYTES:
                return True
    return False


def _touch(path: str, timestamp: int) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
    os.utime(path, ns=(timestamp, timestamp), follow_symlinks=False)
