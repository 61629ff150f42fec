"""Read-only connections that create no file and delay no writer.

Hooks import this module, so it must load fast.
"""

import os

import apsw


def connect(path: str) -> tuple[apsw.Connection, bool]:
    """Open the database at `path`. If no other process has it open, open it without locks.

    A database without a log has no writers. A log without a shared-memory file was left by a crash, so no other
    process uses that database either. During a read without locks, a writer may start and change pages. So compare
    the `state` before and after such a read, if other processes may write.

    Returns:
        The connection, and True if it uses locks.

    Raises:
        apsw.Error: The database can't be opened.
    """
    options = "mode=ro"
    if _size(f"{path}-wal") == 0:
        options = "immutable=1"
    elif not os.path.lexists(f"{path}-shm"):
        options = "mode=ro&vfs=unix-none"
    connection = apsw.Connection(
        f"file:{_quoted(path)}?{options}", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if "vfs" in options:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    return connection, options == "mode=ro"


def state(path: str) -> tuple[int, ...]:
    """Return numbers that change when the database file at `path` is written. Writes to its log don't count.

    Raises:
        OSError: The file doesn't exist.
    """
    status = os.stat(path)  # noqa: PTH116 - see above
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - see above
    except FileNotFoundError:
        return 0


def _quoted(path: str) -> str:
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    # In a URI, text after two slashes would be a host name.
    return f"//{quoted}" if quoted.startswith("//") else quoted
