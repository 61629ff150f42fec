"""Format of a session summary: titled parts with a line for each item.

Hooks use this module, so it imports next to nothing.
"""

from collections.abc import Sequence

TITLE = "Session: "
"""Beginning of a summary's title, before the first request."""

ASKED = "Asked"
CHANGED = "Changed"
DECIDED = "Decided"
WENT_WRONG = "Went wrong"
SAID_LAST = "Said last"

_ITEM = "- "

_REQUESTS, _ERRORS, _SAID = 3, 2, 4
"""Maximum number of requests, errors and sentences given by `where_it_stood`."""


def part(title: str, items: Sequence[str]) -> str:
    """Return a part of the summary as text; empty if there are no items."""
    return "\n".join([f"{title}:", *(f"{_ITEM}{item}" for item in items)]) if items else ""


def where_it_stood(content: str) -> list[str]:
    """Return the end of a session in up to nine independent lines, from the `content` of its summary.

    The lines are the latest requests, the latest errors, and the last sentences. The first request is left out,
    because it is the title. Files and decisions are left out, because most of them are memories themselves.
    """
    found: dict[str, list[str]] = {}
    title = ""
    for line in content.split("\n"):
        if line.startswith(_ITEM):
            found.setdefault(title, []).append(line.removeprefix(_ITEM))
        else:
            title = line.removesuffix(":")
    sections = (
        (ASKED, found.get(ASKED, [])[1:][-_REQUESTS:]),
        (WENT_WRONG, found.get(WENT_WRONG, [])[-_ERRORS:]),
        (SAID_LAST, found.get(SAID_LAST, [])[:_SAID]),
    )
    return [f"{title}: {item}" for title, items in sections for item in items]
