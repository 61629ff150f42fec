"""Records of the present session of each client process, written by hooks and read by servers.

A server gets the session's id at most once, at its start, but the user may begin a new session in the same
process. Hooks get the current id each time.

A record is `{data directory}/claude-code/{pid}.json`: `{"started": start time of the process, "first": session id,
"current": session id}`. It is written and read without `json`, because importing `json` takes as long as the rest
of a hook. Ids with characters to escape are refused.
"""

import time

from lamella_adapters.hooks.paths import joined, make_folders
from lamella_adapters.process.calls import Descriptor, posix

Record = tuple[str, str, str]
"""The start time of a process, its first session and its current one."""

_MAX_RECORD_BYTES = 4096
_MAX_ID_CHARACTERS = 200
_KEYS = ["started", "first", "current"]
_QUOTES = 12

_RECORD = ".json"
_CLIENT = ".client"
_OF_SESSIONS = (".reason", ".told")
"""Start of the suffixes of a session's other files in the folder."""

_DAY_SECONDS = 24 * 3600
_KEPT_DAYS, _SHOWN_DAYS = 2, 30
"""Numbers of days to keep files.

The first number applies to records of missing processes, because a process that seems missing may run in another
container. It also applies to other files of sessions. The second number applies to records of shown items, because
a session that is resumed later needs them.
"""


def folder_of(directory: str) -> str:
    """Return the folder of the records in a data directory."""
    return joined(directory, "claude-code")


def record_session(directory: str, pid: int, session: str) -> None:
    """Record the present session of a client process.

    This is fast if nothing has changed. It does nothing for a missing process. Hooks may write simultaneously:
    each replaces the whole record, so the last write wins.

    Args:
        directory: The data directory.
        pid: The id of the process.
        session: The id of the session.

    Raises:
        OSError: The data directory can't be written.
        ValueError: `session` can't be the id of a session.
    """
    if not _plain(session):
        raise ValueError("not a session id")
    folder = folder_of(directory)
    path = joined(folder, f"{pid}{_RECORD}")
    known = read_record(path)
    if known and known[2] == session:
        return
    from lamella_adapters.hooks.session.processes import started  # noqa: PLC0415 - most hooks find a current record

    begun = started(pid)
    if begun is None:
        return
    first = known[1] if known and known[0] == begun else session
    make_folders(folder)
    replace(path, f'{{"started": "{begun}", "first": "{first}", "current": "{session}"}}\n'.encode())
    if known is None:
        forget_the_old(folder)


def note_client(directory: str, client: str) -> None:
    """Record the time of a client's hook call.

    Raises:
        OSError: The data directory can't be written.
    """
    folder = folder_of(directory)
    make_folders(folder)
    path = joined(folder, client + _CLIENT)
    posix.close(posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK, 0o600))
    posix.utime(path, follow_symlinks=False)


def last_called(directory: str, client: str) -> float | None:
    """Return when a client last called a hook for a start or a prompt, in seconds since 1970; None if never.

    Args:
        directory: The data directory.
        client: Name of the client's module in `clients`, such as `claude_code`.
    """
    try:
        return posix.stat(joined(folder_of(directory), client + _CLIENT), follow_symlinks=False).st_mtime
    except OSError:
        return None


def read_record(path: str) -> Record | None:
    """Return the record in a file; None if the file is missing or damaged."""
    content = content_of(path, _MAX_RECORD_BYTES)
    parts = content.split('"')
    if not content.isascii() or len(parts) != _QUOTES + 1 or parts[1::4] != _KEYS or parts[-1].strip() != "}":
        return None
    begun, first, current = parts[3::4]
    return (begun, first, current) if begun and first and current else None


def record_naming(directory: str, session: str) -> Record | None:
    """Return the latest record whose first or current session is `session`."""
    for _, path in sorted(_files(folder_of(directory)), reverse=True):
        record = read_record(path) if path.endswith(_RECORD) else None
        if record and session in record[1:]:
            return record
    return None


def names_a_file(session: str) -> bool:
    """Return True if a session id is valid as a file name, as for most clients."""
    return _plain(session) and session.replace("-", "").replace("_", "").isalnum()


def _plain(session: str) -> bool:
    return (
        0 < len(session) <= _MAX_ID_CHARACTERS
        and session.isascii()
        and session.isprintable()
        and not session.isspace()
        and '"' not in session
        and "\\" not in session
    )


def content_of(path: str, most: int) -> str:
    """Return the first `most` bytes of a file as text; empty text if it is missing, a link or not in UTF-8."""
    try:
        # Don't follow links, and don't block on pipes.
        with Descriptor(posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)) as descriptor:
            return posix.read(descriptor, most).decode()
    except (OSError, ValueError):
        return ""


def replace(path: str, content: bytes) -> None:
    """Replace the content of a file atomically. Only its owner may read it.

    Raises:
        OSError: The file can't be written.
    """
    draft = f"{path}.{posix.getpid()}"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW
    with Descriptor(posix.open(draft, flags, 0o600)) as descriptor:
        posix.write(descriptor, content)
    posix.replace(draft, path)


def _files(folder: str) -> list[tuple[int, str]]:
    """Return the modification time of each file in nanoseconds since 1970, and the file's path."""
    try:
        with posix.scandir(folder) as entries:
            return [(each.stat(follow_symlinks=False).st_mtime_ns, each.path) for each in entries]
    except (OSError, ValueError):
        return []


def forget_the_old(folder: str) -> None:
    """Remove old records and temporary files of processes that have ended, and old files of sessions.

    Raises:
        OSError: A file can't be removed.
    """
    now = time.time_ns()
    for written, path in _files(folder):
        name, dot, kind = path.rpartition("/")[2].partition(".")
        gone = (dot + kind).startswith(_OF_SESSIONS) or (name.isdecimal() and not _alive(int(name)))
        days = _SHOWN_DAYS if kind.startswith("told") else _KEPT_DAYS
        if gone and written < now - days * _DAY_SECONDS * 10**9:
            remove(path)


def remove(path: str) -> None:
    """Remove a file, unless another process has already removed it.

    Raises:
        OSError: The file can't be removed.
    """
    try:
        posix.unlink(path)
    except FileNotFoundError:
        return


def _alive(pid: int) -> bool:
    try:
        posix.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # alive, but owned by another user
    return True
