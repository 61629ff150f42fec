"""A fence around what a memory says, so that nobody takes it for what the user or the client says.

It has a mark that nobody can know before. What looks like a fence or a message of the client inside is defused.
"""

import os
import re
import time

from lamella.domain.text.printing import cut_point, printed_line

TOOL = "recall"
"""The tool that shows more."""

_MARK_BYTES = 6
_NAME = "lamella-memory"
_NAMES = (
    *("lamella", "system", "antml", "function", "user", "human", "assistant"),
    *("tool", "task", "command", "local", "bash", "invoke", "parameter", "session", "ide"),
)
"""How the names of such tags begin."""

_POSES_AS_TAG = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(_NAMES)})(?![^\W_]))", re.IGNORECASE)
_SECOND = 10**6


def fenced(lines: list[str]) -> str:
    """`lines`, which were printed by `line` or are our own, between two marks."""
    mark = os.urandom(_MARK_BYTES).hex()
    inside = "\n".join(lines)
    return f'<{_NAME} mark="{mark}">\n{inside}\n</{_NAME} {mark}>'


def line(text: str, most: int) -> str:
    """At most `most` characters of a text of others, on one line, and harmless."""
    # White space may be long; what is cut off needs no look.
    shown = _POSES_AS_TAG.sub("< ", printed_line(text[: 4 * most]))
    return shown if len(shown) <= most else f"{shown[: cut_point(shown, most)].rstrip()}..."


def day(moment: int) -> str:
    """The day of a moment in microseconds, in the machine's zone."""
    return time.strftime("%Y-%m-%d", time.localtime(moment // _SECOND))


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many: two for five characters, two for each of a wide script.

    Lists of dates, ids and paths have so many. Not `lamella_adapters.tokenizers`: its tables take a hook too long.
    """
    return -(-2 * (2 * len(text.encode(errors="replace")) - len(text)) // 5)
