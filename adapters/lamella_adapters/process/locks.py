"""Locks of open files on each platform. A lock ends when its file is closed, or when the process ends."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from lamella_adapters.process.calls import Descriptor, posix


def _platform() -> tuple[Callable[[int, int], None], int, int]:
    """Return the function that locks a descriptor, and its arguments for an exclusive and for a shared lock.

    The function raises `BlockingIOError` if another process has the lock.
    """
    try:
        fcntl = import_module("fcntl")
    except ImportError:
        # Windows (untried): lock one byte of the file. There are no shared locks.
        msvcrt = import_module("msvcrt")

        def locking(descriptor: int, _kind: int) -> None:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except PermissionError as error:
                raise BlockingIOError(*error.args) from error

        return locking, 0, 0
    return fcntl.flock, fcntl.LOCK_NB | fcntl.LOCK_EX, fcntl.LOCK_NB | fcntl.LOCK_SH


_lock, _EXCLUSIVE, _SHARED = _platform()


def lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file without waiting. Return False if another process or thread has locked it.

    Args:
        descriptor: Descriptor of the file.
        shared: True for a shared lock.

    Raises:
        OSError: The file system has no locks.
    """
    try:
        _lock(descriptor, _SHARED if shared else _EXCLUSIVE)
    except BlockingIOError:
        return False
    return True


@contextmanager
def locked(path: Path, *, until: float, pause: float = 0.05) -> Iterator[None]:
    """Lock the file or folder at a path. On Windows, folders can't be opened: lock a file in the folder.

    Args:
        path: The path. A missing file is created in an existing folder.
        until: Reading of `time.monotonic` at which to give up.
        pause: Seconds between two tries.

    Raises:
        TimeoutError: Another process or thread holds the lock.
        OSError: The file or folder can't be opened.
    """
    place = path / ".lock" if os.name == "nt" and path.is_dir() else path
    flags = os.O_RDONLY if place.is_dir() else os.O_RDWR | os.O_CREAT
    with Descriptor(os.open(place, flags | posix.O_CLOEXEC, 0o600)) as descriptor:
        while not lock(descriptor):
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(pause)
        yield
