"""Shell line that a client runs for each event."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

_SCRIPT = Path(__file__).parents[1] / "hook.py"


def hook_command(client: str, event: str = "") -> str:
    """Return the line of a POSIX shell that runs a hook with the Python that runs now.

    On Windows, where it is untried, it is one of `cmd` and its launcher of Python.
    It always succeeds, and prints nothing but what the client accepts.

    Args:
        client: Name of the client, such as `codex`: a module of `clients`, with hyphens for underscores.
        event: The client's name of the event, for clients whose input doesn't have it.
    """
    arguments = ["-I", "-S", str(_SCRIPT), client, *([event] if event else [])]
    if os.name == "nt":
        return f"{subprocess.list2cmdline(['py', '-3', *arguments])} 2>NUL || exit /b 0"
    words = [sys.executable, *arguments]
    return f"{shlex.join(words)} 2>/dev/null || exit 0"
