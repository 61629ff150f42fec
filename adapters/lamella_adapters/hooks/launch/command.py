"""Shell line that a client runs for each event."""

import shlex
import sys
from pathlib import Path

_SCRIPT = Path(__file__).parents[1] / "hook.py"


def hook_command(client: str, event: str = "") -> str:
    """Return the line of a POSIX shell that runs a hook with the Python that runs now.

    It always succeeds, and prints nothing but what the client accepts.

    Args:
        client: Name of the client, such as `codex`: a module of `clients`, with hyphens for underscores.
        event: The client's name of the event, for clients whose input doesn't have it.
    """
    words = [sys.executable, "-I", "-S", str(_SCRIPT), client, *([event] if event else [])]
    return f"{shlex.join(words)} 2>/dev/null || exit 0"
