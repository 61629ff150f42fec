"""What the user is told when a command fails."""

import sys
import traceback

from lamella.domain.errors import LamellaError
from lamella.domain.text import visible

INTERRUPTED = 130
"""The exit code of a shell's command that Ctrl-C ended."""


def explained(error: BaseException, *, debug: bool) -> int:
    """Says on stderr what went wrong and returns the exit code; a traceback only where `debug` asks for it."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    elif isinstance(error, LamellaError):
        say(str(error))
    else:
        say(
            f"Something went wrong inside lamella: {type(error).__name__}: {error}\n"
            "To see where, put --debug before the command: lamella --debug ..."
        )
    return 1


def say(sentence: str) -> None:
    """Writes to stderr what may repeat words of the user or of a memory, with hidden characters shown."""
    sys.stderr.write(f"{visible(sentence)}\n")
