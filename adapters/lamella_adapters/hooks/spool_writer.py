"""Writer of the spool, the folder of captures that aren't stored yet.

Each capture is a file, written once. Its name, `{nanoseconds since 1970}-{process}.json`, identifies the capture
for good, so storing it twice changes nothing. If a file doesn't end with a line feed, its writer is still at work
or was stopped.
"""

from lamella_adapters.hooks.paths import joined, make_folders, variable
from lamella_adapters.hooks.payload import Json, as_json
from lamella_adapters.hooks.session_records import folder_of, remove
from lamella_adapters.process.calls import Descriptor, posix
from lamella_adapters.process.start import spool_folder, storage_url

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
"""Maximum size of the spool. Hooks add nothing to a full spool: evidently, no process stores its captures."""

FULL = "the spool is full"
"""The reason for skipping later captures."""

COUNTS_EVERY = 64
"""On average, one hook out of this number counts the spool's files. The clock decides which one.

Counting takes as long as many hooks, so most hooks don't count.
"""

RECOUNT_NANOSECONDS = 10 * 10**9
"""Time until a full spool is counted again."""

_FOLDER = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW
_NEW_FILE = posix.O_CREAT | posix.O_EXCL | posix.O_WRONLY | posix.O_NOFOLLOW


def write(directory: str, now: int, record: Json) -> None:
    """Add a capture to the spool durably. If the spool is full, add a single record that says so instead.

    Missing folders are created. The process's umask must restrict them to their owner.

    Args:
        directory: The data directory.
        now: The current time in nanoseconds since 1970.
        record: The fields of the capture.

    Raises:
        OSError: The capture can't be written, or the spool is a symbolic link.
    """
    with Descriptor(_opened(directory)) as folder:
        was_full, full = _full(folder, directory, now)
        if full and was_full:
            return
        if full:
            record = {key: record[key] for key in ("version", "event", "at", "directory")} | {"skipped": FULL}
        _create(folder, now, (as_json(record) + "\n").encode())


def _opened(directory: str) -> int:
    path = spool_folder(storage_url(variable("LAMELLA_STORAGE"), directory), directory)
    try:
        return posix.open(path, _FOLDER)
    except FileNotFoundError:
        make_folders(path)
        return posix.open(path, _FOLDER)


def _create(folder: int, now: int, content: bytes) -> None:
    name = f"{now:020d}-{posix.getpid()}.json"
    try:
        file = posix.open(name, _NEW_FILE, 0o600, dir_fd=folder)
    except FileExistsError:
        # In another container, a process with the same id wrote in the same nanosecond. Take the next nanosecond.
        return _create(folder, now + 1, content)
    try:
        whole = posix.write(file, content) == len(content)
        posix.fsync(file)
    except OSError:
        posix.unlink(name, dir_fd=folder)
        raise
    finally:
        posix.close(file)
    if not whole:
        posix.unlink(name, dir_fd=folder)
    return None


def _full(folder: int, directory: str, now: int) -> tuple[bool, bool]:
    """Return two values: True if the spool was already marked as full, and True if it is full now.

    The file `spool-full` marks a full spool. The captures in the spool were last counted at this file's
    modification time.
    """
    mark = joined(folder_of(directory), "spool-full")
    try:
        counted = posix.stat(mark, follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:
        if now // 1_000 % COUNTS_EVERY:
            return False, False
        if too_much := _holds_too_much(folder):
            make_folders(folder_of(directory))
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
    with posix.scandir(folder) as entries:
        for entry in entries:
            files += 1
            try:
                size += entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue  # another process has stored and deleted the capture meanwhile
            if files >= MOST_FILES or size >= MOST_BYTES:
                return True
    return False


def _touch(path: str, timestamp: int) -> None:
    posix.close(posix.open(path, posix.O_CREAT | posix.O_WRONLY | posix.O_NOFOLLOW, 0o600))
    posix.utime(path, ns=(timestamp, timestamp), follow_symlinks=False)
