"""Fence around recalled text, to separate it from words of the user or of the client.

A fence contains a random word, so that the text inside can't imitate it. Text inside that resembles a fence or a
tag of the client is defused.
"""

import os
import re
import time

from lamella.domain.text.printing import printed_line, shortened

_MARK_BYTES = 6
_NAME = "lamella-memory"
_NAMES = (
    *("lamella", "system", "antml", "function", "user", "human", "assistant"),
    *("tool", "task", "command", "local", "bash", "invoke", "parameter", "session", "ide"),
)
"""Prefixes of the names of a client's tags."""

_POSES_AS_TAG = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(_NAMES)})(?![^\W_]))", re.IGNORECASE)
_SECOND = 10**6


def fenced(lines: list[str]) -> str:
    """Return `lines` inside a fence. Text from users or memories must have passed `line` before."""
    mark = os.urandom(_MARK_BYTES).hex()
    inside = "\n".join(lines)
    return f'<{_NAME} mark="{mark}">\n{inside}\n</{_NAME} {mark}>'


def line(text: str, most: int) -> str:
    """Return a text from a user or memory on one line, defused and truncated to `most` characters."""
    # Leave room for white space, which `shortened` collapses.
    return shortened(_POSES_AS_TAG.sub("< ", printed_line(text[: 4 * most])), most)


def day(timestamp: int) -> str:
    """Return the day of a timestamp, given in microseconds since 1970, in the machine's time zone."""
    return time.strftime("%Y-%m-%d", time.localtime(timestamp // _SECOND))


def tokens(text: str) -> int:
    """Estimate the number of tokens in a text.

    The estimate is rather too high: two per five ASCII characters, and more for wide scripts.
    """
    return -(-2 * (2 * len(text.encode(errors="replace")) - len(text)) // 5)
