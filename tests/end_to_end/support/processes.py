"""Processes that belong to a test, wherever they were started."""

import os
import subprocess
from pathlib import Path

from tests.waiting import until

_PROC = Path("/proc")


def processes_of(folder: Path) -> list[str]:
    """Return the command lines of running processes whose environment names `folder`."""
    if _PROC.is_dir():
        return [
            line for each in _PROC.iterdir() if each.name.isdecimal() and (line := _command_line(each, folder))
        ]
    listed = subprocess.check_output(["ps", "-A", "-E", "-ww", "-o", "command="], text=True)
    return [line for line in listed.splitlines() if str(folder) in line]


def wait_for_processes_of(folder: Path) -> None:
    """Wait until none of these processes is running, not even in the background."""
    # Each check reads a file of every process on the machine.
    until(lambda: not processes_of(folder), pause_seconds=0.1)


def _command_line(process: Path, folder: Path) -> str | None:
    try:
        if os.fsencode(folder) in (process / "environ").read_bytes():
            return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:  # it has ended by now, or belongs to another user
        pass
    return None
