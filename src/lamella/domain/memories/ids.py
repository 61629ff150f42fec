"""The beginning of an id that is enough to name it. Hooks use this module, so it imports little."""

from collections.abc import Sequence

SHORT_ID_CHARACTERS = 8
"""Length of a printed short id; longer where that is not unique in its project."""


def shortest(digits: str, others: Sequence[str]) -> str:
    """The beginning of an id, at least eight of its hexadecimal digits, that none of `others` shares."""
    length = SHORT_ID_CHARACTERS
    for other in others:
        while other != digits and other.startswith(digits[:length]):
            length += 1
    return digits[:length]
