"""What all workers of a run share, and only one of them makes."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, worker: str, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder shared by this run's workers. The first worker fills it with `make`."""
    own = factory.getbasetemp()
    folder = (own if worker == "master" else own.parent) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            make(folder)
    return folder
