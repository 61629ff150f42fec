"""Parser of a compact reply of `recall`."""

import re

from attrs import frozen

_ITEM = re.compile(r"\[\d+\] ([0-9a-f]{8,32}|message \d+) \| ")
_ALSO = re.compile(r" \| also ([0-9a-f, ]+)$")
_NEXT = re.compile(r" \| next: (\S+)")
_FOOTER = "\n---\n"
_WEAK = "weak match"


@frozen
class Page:
    """One parsed reply.

    Attributes:
        ids: Short ids of the memories and `message N` for messages, in the order of the reply. If several edits
            share a line, their ids follow each other.
        cursor: Cursor of the next page, if any.
        weak: True if the footer calls the match weak.
    """

    ids: tuple[str, ...]
    cursor: str | None
    weak: bool = False


def read(reply: str) -> Page:
    """Parse a reply. For a reply without results, return a page without ids and cursor."""
    body, _, footer = reply.rpartition(_FOOTER)
    ids: list[str] = []
    for line in body.splitlines():
        item, also = _ITEM.match(line), _ALSO.search(line)
        if item:
            ids += [item[1], *(also[1].split(", ") if also else ())]
    following = _NEXT.search(footer)
    return Page(tuple(ids), following[1] if following else None, _WEAK in footer)
