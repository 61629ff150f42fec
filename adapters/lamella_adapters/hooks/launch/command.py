"""Shell line for a client to run for each event."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

_SCRIPT = Path(__file__).parents[1] / "hook.py"


def hook_command(client: str, event: str = "") -> str:
    """Return the POSIX shell line for running a hook with the present Python.

    On Windows (untried), it is a line for `cmd` and Python's launcher. The line always succeeds, and prints
    nothing but output for the client.

    Args:
        client: Name of the client, such as `codex`: a module of `clients`, with hyphens for underscores.
        event: The client's name of the event, for clients that omit it from their input.
    """
    arguments = ["-I", "-S", str(_SCRIPT), client, *([event] if event else [])]
    if os.name == "nt":
        return f"{subprocess.list2cmdline(['py', '-3', *arguments])} 2>NUL || exit /b 0"
    return f"{shlex.join([sys.executable, *arguments])} 2>/dev/null || exit 0"
