"""Opening a database only to read it, so that no file is made and nobody waits.

Hooks use this module, so it imports little.
"""

import os

import apsw


def connect(path: str) -> tuple[apsw.Connection, bool]:
    """Opens the database at `path` as what is beside it allows, and says whether with locks.

    Without a log nobody writes, and it is read as it stands. A log that a crash left has no shared memory beside
    it: nobody else is there either. Where it is read without locks, what was read may be torn if somebody came
    meanwhile: who reads in a folder where others may write compares the `state` before and after.

    Raises:
        apsw.Error: it cannot be opened.
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
    """What changes when somebody writes to the database at `path` itself, and not only to its log.

    Raises:
        OSError: there is none.
    """
    status = os.stat(path)  # noqa: PTH116 - see above
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116 - see above
    except FileNotFoundError:
        return 0


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
