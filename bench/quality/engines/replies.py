"""The parts of a compact reply of `recall` that a client can read."""

import re

from attrs import frozen

_ITEM = re.compile(r"\[\d+\] ([0-9a-f]{8,32}|message \d+) \| ")
_NEXT = re.compile(r" \| next: (\S+)")
_FOOTER = "\n---\n"
_WEAK = "weak match"


@frozen
class Page:
    """One reply.

    Attributes:
        ids: The short ids of its memories and `message N` for its messages, in their order.
        cursor: Cursor of the next page, if any.
        weak: True if its footer calls the match weak.
    """

    ids: tuple[str, ...]
    cursor: str | None
    weak: bool = False


def read(reply: str) -> Page:
    """Parse `reply`; without results it has neither ids nor a cursor."""
    body, _, footer = reply.rpartition(_FOOTER)
    items = (_ITEM.match(line) for line in body.splitlines())
    following = _NEXT.search(footer)
    return Page(tuple(item[1] for item in items if item), following[1] if following else None, _WEAK in footer)
