"""Run a command in namespaces of its own, so that all it starts, mounts and connects is gone when it ends.

Usage: python -m tests.team.alone COMMAND ...

The command has its own processes, mounts and network, and `PLACE` in memory for its files. The kernel takes all
of it down with the first process, also after a kill. It needs root.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

PLACE = Path("/run/team")
"""Folder for everything that the command makes."""

# The shell is the first process: it takes over those whose parents end, as the ones of daemons do.
_FIRST = f'mount -t tmpfs none /run && mkdir {PLACE} && ip link set lo up && "$@"; exit $?'
_UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")


def alone(command: Sequence[str]) -> NoReturn:
    """Become a process that runs a command like this, and ends as it ends."""
    os.execvp(_UNSHARE[0], [*_UNSHARE, "bash", "-c", _FIRST, "bash", *command])  # noqa: S606 - our own command


if __name__ == "__main__":
    alone(sys.argv[1:])
