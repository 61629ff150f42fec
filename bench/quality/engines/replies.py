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
    """One reply.

    Attributes:
        ids: The short ids of its memories and `message N` for its messages, in their order; those of edits that
            share a line one after the other.
        cursor: Cursor of the next page, if any.
        weak: True if its footer calls the match weak.
    """

    ids: tuple[str, ...]
    cursor: str | None
    weak: bool = False


def read(reply: str) -> Page:
    """Parse a reply. Without results, it has neither ids nor a cursor."""
    body, _, footer = reply.rpartition(_FOOTER)
    ids: list[str] = []
    for line in body.splitlines():
        item, also = _ITEM.match(line), _ALSO.search(line)
        if item:
            ids += [item[1], *(also[1].split(", ") if also else ())]
    following = _NEXT.search(footer)
    return Page(tuple(ids), following[1] if following else None, _WEAK in footer)
