"""Input from a pipe."""

import sys

from lamella.application.memories.save import MAX_TEXT_CHARACTERS
from lamella.domain.errors import InvalidValueError

_MAX_BYTES = 1024 * 1024
"""Most bytes to read; far more than one memory may have, in any script."""


def from_stdin() -> str:
    """Return piped text as UTF-8; invalid bytes become U+FFFD.

    Raises:
        InvalidValueError: The text is too long.
    """
    piped = sys.stdin.buffer.read(_MAX_BYTES + 1)
    if len(piped) > _MAX_BYTES:
        raise InvalidValueError(
            name="text", given=f"more than {_MAX_BYTES} bytes", allowed=f"at most {MAX_TEXT_CHARACTERS} characters"
        )
    return piped.decode(errors="replace")
